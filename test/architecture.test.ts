import { describe, expect, test } from 'vitest';
import { readSourceFiles, type SourceFile, type SourceImport } from './support/source-files.ts';

/** The directions of docs/architecture.md, each a test. A broken one is answered by moving code, not by a new exception. */

const files = readSourceFiles();

/** Files longer than 350 lines, each with the reason why it is one idea. */
const longFiles: Readonly<Record<string, string>> = {};
const mostLines = 350;

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
const below = (folder: string) => files.filter(({ path }) => path.startsWith(folder));
const isPrisma = ({ to }: SourceImport) => /^@prisma\/|^prisma$/.test(to) || to.includes('/generated/');

/** `file -> import` of every import that breaks the rule. */
function broken(of: readonly SourceFile[], isAllowed: (one: SourceImport, file: SourceFile) => boolean): string[] {
  return of.flatMap((file) =>
    file.imports.filter((one) => !isAllowed(one, file)).map(({ to }) => `${file.path} -> ${to}`),
  );
}

test('the scan sees the house', () => {
  expect(files.length).toBeGreaterThan(50);
  const moves = files.find(({ path }) => path === 'ledger/store/moves.ts');
  expect(moves?.imports).toContainEqual({ to: 'ledger/store/failures.ts', isOwn: true, isTypeOnly: false });
  expect(moves?.imports).toContainEqual({
    to: 'ledger/store/generated/sqlite/client.ts',
    isOwn: true,
    isTypeOnly: true,
  });
});

test('every import of our own names a file that exists', () => {
  const known = new Set(files.map(({ path }) => path));
  expect(
    broken(files, ({ to, isOwn }) => !isOwn || known.has(to) || to.includes('/generated/') || !/\.tsx?$/.test(to)),
  ).toEqual([]);
});

describe('the ledger', () => {
  test('imports nothing of ours', () => {
    expect(broken(below('ledger/'), ({ to, isOwn }) => !isOwn || to.startsWith('ledger/'))).toEqual([]);
  });

  test('lets only store/ import Prisma', () => {
    expect(broken(files, (one, { path }) => !isPrisma(one) || path.startsWith('ledger/store/'))).toEqual([]);
  });

  test('keeps its rules apart from its store', () => {
    const rules = below('ledger/').filter(({ path }) => !path.startsWith('ledger/store/'));
    expect(broken(rules, ({ to }) => !to.startsWith('ledger/store/'))).toEqual([]);
  });

  test('reads the clock and makes ids in runtime.ts only', () => {
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|\brandomUUID\b|\brandomBytes\b|Math\.random\(|from 'uuid'|performance\.now\(/;
    const offenders = below('ledger/').filter(({ path, text }) => path !== 'ledger/runtime.ts' && impure.test(text));
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });
});

describe('channels', () => {
  test('import the contract and their own folder, never another channel and never the ledger', () => {
    const isContract = (to: string) => /^channels\/[^/]+$/.test(to);
    expect(
      broken(below('channels/'), ({ to, isOwn }, { path }) => {
        if (!isOwn || isContract(to)) return true;
        const own = /^channels\/[^/]+\//.exec(path)?.[0];
        return own !== undefined && to.startsWith(own);
      }),
    ).toEqual([]);
  });

  test('are named in their own folders and by the wiring only', () => {
    const mayName = /^channels\/|^bot\/compose\.ts$/;
    expect(broken(files, ({ to }, { path }) => !/^channels\/[^/]+\//.test(to) || mayName.test(path))).toEqual([]);
  });
});

describe("the agents' and the people's sides", () => {
  test.each(['mcp/', 'web/'])('%s imports the ledger by its index, and its own folder', (folder) => {
    expect(
      broken(below(folder), ({ to, isOwn }) => !isOwn || to === 'ledger/index.ts' || to.startsWith(folder)),
    ).toEqual([]);
  });
});

describe('the wiring', () => {
  test("bot/compose.ts alone imports the store, the web app and the MCP server; the agent's commands the latter", () => {
    const parts = /^ledger\/(store\/(?!store\.ts)|runtime\.ts)|^web\/|^mcp\//;
    const isWiring = ({ path }: SourceFile, to: string) =>
      path === 'bot/compose.ts' ||
      (path.startsWith('cli/') && to.startsWith('mcp/')) ||
      folderOf(path).split('/')[0] === to.split('/')[0];
    expect(broken(files, ({ to, isOwn }, file) => !isOwn || !parts.test(to) || isWiring(file, to))).toEqual([]);
  });

  test('the engine knows the ledger, the channel contract and itself', () => {
    const engine = below('bot/').filter(({ path }) => path !== 'bot/compose.ts');
    const allowed = /^bot\/|^ledger\/index\.ts$|^ledger\/store\/store\.ts$|^channels\/[^/]+$/;
    expect(broken(engine, ({ to, isOwn }) => !isOwn || allowed.test(to))).toEqual([]);
  });

  test('nothing imports the commands, and nothing but commands the demo', () => {
    expect(
      broken(files, ({ to }, { path }) => !to.startsWith('cli/') || path.startsWith('cli/') || path === 'main.ts'),
    ).toEqual([]);
    expect(broken(files, ({ to }, { path }) => !to.startsWith('demo/') || /^(demo|cli|bench)\//.test(path))).toEqual(
      [],
    );
  });

  test('the emulators know nothing of what they are used to test, but the types of a page', () => {
    expect(
      broken(
        below('demo/'),
        ({ to, isOwn, isTypeOnly }) => !isOwn || to.startsWith('demo/') || (to === 'channels/page.ts' && isTypeOnly),
      ),
    ).toEqual([]);
  });

  test('the environment is read by bot/config.ts and the commands', () => {
    const readers = files
      .filter(({ text }) => /\bprocess\.env\b|\benv\s*\}\s*from 'node:process'/.test(text))
      .map(({ path }) => path);
    expect(readers.filter((path) => path !== 'bot/config.ts' && !path.startsWith('cli/'))).toEqual([]);
  });
});

describe('files', () => {
  test('have no import cycles at run time', () => {
    expect(findCycle(files)).toBeNull();
    const a = { path: 'a.ts', text: '', lines: 1, imports: [{ to: 'b.ts', isOwn: true, isTypeOnly: false }] };
    const b = { ...a, path: 'b.ts', imports: [{ to: 'a.ts', isOwn: true, isTypeOnly: false }] };
    expect(findCycle([a, b])).toEqual(['a.ts', 'b.ts', 'a.ts']);
  });

  test(`have ${mostLines} lines at most, and a median of about 70`, () => {
    const long = files.filter(({ path, lines }) => lines > mostLines && !(path in longFiles));
    expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
    const sorted = files.map(({ lines }) => lines).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(90);
  });

  test('the list of long files names long files only', () => {
    const needless = Object.keys(longFiles).filter(
      (path) => !files.some((file) => file.path === path && file.lines > mostLines),
    );
    expect(needless).toEqual([]);
  });

  test('have no default exports and names of one idea', () => {
    expect(files.filter(({ text }) => /^export default\b/m.test(text)).map(({ path }) => path)).toEqual([]);
    const vague =
      /(^|\/)(utils?|helpers?|common|manager|service)(\.tsx?$|\/)|-(utils?|helpers?|manager|service)\.tsx?$/;
    expect(files.filter(({ path }) => vague.test(path) || path !== path.toLowerCase()).map(({ path }) => path)).toEqual(
      [],
    );
  });
});

function findCycle(all: readonly SourceFile[]): string[] | null {
  const byPath = new Map(all.map((file) => [file.path, file]));
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    const file = byPath.get(path);
    if (file === undefined || done.has(path)) return null;
    for (const { to, isTypeOnly } of file.imports) {
      const cycle = isTypeOnly ? null : visit(to, [...trail, path]);
      if (cycle !== null) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const { path } of all) {
    const cycle = visit(path, []);
    if (cycle !== null) return cycle;
  }
  return null;
}
