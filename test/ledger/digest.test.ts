import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalText, digestOf, entryHash } from '../../src/ledger/digest.ts';
import type { Ask } from '../../src/ledger/request.ts';

const ask: Ask = {
  kind: 'steering',
  title: 'Which?',
  gist: 'Because.',
  extended: null,
  dangerLevel: null,
  options: [{ label: 'Red', recommended: true }],
};

describe('canonical text', () => {
  test('sorts keys at every depth and keeps the order of lists', () => {
    expect(canonicalText({ b: [{ d: 1, c: 2 }, 3], a: 'ä"' })).toBe('{"a":"ä\\"","b":[{"c":2,"d":1},3]}');
    expect(canonicalText(null)).toBe('null');
  });

  test('is the same whatever the order of keys, and says the same', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalText(reversed)).toBe(canonicalText(value));
        expect(canonicalText(JSON.parse(canonicalText(value)))).toBe(canonicalText(value));
      }),
    );
  });
});

describe('the digest of an ask', () => {
  test('is 64 hex digits, the same for ever', () => {
    expect(digestOf('instance-1', ask)).toBe('81f8d39df7a04c93cf32a3d3ac554c6c405297cd1520c30dbb51c9f77d15c054');
  });

  test.each<[string, Partial<Ask>]>([
    ['kind', { kind: 'permission' }],
    ['title', { title: 'which?' }],
    ['gist', { gist: 'Because. ' }],
    ['extended', { extended: '' }],
    ['danger', { dangerLevel: 'low' }],
    ['options', { options: [] }],
    ['recommendation', { options: [{ label: 'Red', recommended: false }] }],
  ])('changes with the %s', (_field, change) => {
    expect(digestOf('instance-1', { ...ask, ...change })).not.toBe(digestOf('instance-1', ask));
  });

  test('changes with the instance, and with nothing else that a value may carry', () => {
    expect(digestOf('instance-2', ask)).not.toBe(digestOf('instance-1', ask));
    expect(digestOf('instance-1', { ...ask, ...{ createdAt: new Date() } })).toBe(digestOf('instance-1', ask));
  });
});

describe('the hash of an entry', () => {
  const entry = {
    previousHash: '0'.repeat(64),
    chain: 'workspace',
    seq: 1,
    at: new Date(0),
    kind: 'key.created',
    body: '{}',
  };

  test.each<[string, Partial<typeof entry>]>([
    ['previous hash', { previousHash: '1'.repeat(64) }],
    ['chain', { chain: 'other' }],
    ['place', { seq: 2 }],
    ['time', { at: new Date(1) }],
    ['kind', { kind: 'key.revoked' }],
    ['body', { body: '{"a":1}' }],
  ])('covers the %s', (_field, change) => {
    expect(entryHash({ ...entry, ...change })).not.toBe(entryHash(entry));
    expect(entryHash({ ...entry, ...change })).toMatch(/^[0-9a-f]{64}$/);
  });
});
