import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ask } from '../../src/ledger/index.ts';
import { openLedger, readLedger } from '../../src/mcp/local-ledger.ts';
import { temporaryFolder } from '../support/beckon-process.ts';

let home: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  home = temporaryFolder('ledger');
  path = join(home.path, 'i-1.jsonl');
});
afterEach(() => home.remove());

const ask: Ask = { kind: 'permission', title: 'Deploy?', gist: 'Now.', extended: null, dangerLevel: null, options: [] };
const approved = (requestId: string) =>
  ({ requestId, status: 'approved', expired: false, deniedByTimeout: false }) as const;
const open = (place = 1) => openLedger({ path, place, clock: { now: () => new Date(0) } });

describe('the local ledger', () => {
  it('remembers over restarts what was asked and not settled', async () => {
    const first = open(3);
    await first.asked('a', ask);
    await first.asked('b', ask);
    await first.asked('b', ask);
    await first.settled('a', approved('a'));
    first.close();
    const second = open(1);
    expect(second.place).toBe(3);
    expect(await second.known()).toEqual(['b']);
    expect(second.adopted()).toEqual(['b']);
    await second.asked('c', ask);
    expect(second.adopted()).toEqual(['b']);
    second.forget(['b']);
    second.close();
    expect(readLedger(path)).toEqual({ place: 3, unfinished: ['c'] });
  });

  it('is written before asked() resolves, for this account only', async () => {
    const ledger = open();
    await ledger.asked('a', ask);
    expect(readFileSync(path, 'utf8')).toContain('"kind":"asked","id":"a"');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    ledger.close();
  });

  it.each([1, 5, 20])('survives a last line that was torn after %i bytes, and goes on whole', async (bytes) => {
    const ledger = open();
    await ledger.asked('a', ask);
    ledger.close();
    appendFileSync(path, JSON.stringify({ kind: 'asked', id: 'torn', title: 'ü' }).slice(0, bytes));
    const again = open();
    expect(await again.known()).toEqual(['a']);
    await again.asked('b', ask);
    again.close();
    expect(readLedger(path).unfinished).toEqual(['a', 'b']);
    for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });

  it('keeps a last line that lacks only its end', async () => {
    open().close();
    appendFileSync(path, JSON.stringify({ kind: 'asked', id: 'whole' }));
    const again = open();
    await again.asked('b', ask);
    again.close();
    expect(readLedger(path).unfinished).toEqual(['whole', 'b']);
  });

  it('passes over lines it cannot read, and an empty file', async () => {
    writeFileSync(path, '\u0000\u0000garbage\n{"kind":"asked","id":"a"}\n{"kind":"later","id":"z"}\n');
    const ledger = open(2);
    expect(await ledger.known()).toEqual(['a']);
    expect(ledger.place).toBe(2);
    ledger.close();
    writeFileSync(path, '');
    expect(readLedger(path)).toEqual({ place: null, unfinished: [] });
  });

  it('drops what is finished when it has grown, and keeps what is not', async () => {
    const ledger = open(4);
    await ledger.asked('open', ask);
    for (let index = 0; index <= 200; index += 1) {
      await ledger.asked(`r${index}`, ask);
      await ledger.settled(`r${index}`, approved(`r${index}`));
    }
    ledger.close();
    const before = statSync(path).size;
    open().close();
    expect(statSync(path).size).toBeLessThan(before / 50);
    expect(readLedger(path)).toEqual({ place: 4, unfinished: ['open'] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
