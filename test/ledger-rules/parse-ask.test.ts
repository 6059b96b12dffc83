import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caps, InvalidPayload, parseAsk } from '../../src/ledger/index.ts';

const ask = { title: 'Deploy api_v2?', gist: 'Ships the new limiter.' };

function faultsOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidPayload) return error.faults;
    throw error;
  }
  return [];
}

describe('an ask is checked whole, in characters', () => {
  it('takes a title of 200 emoji and refuses one more', () => {
    expect(parseAsk('permission', { ...ask, title: '🚀'.repeat(200) }).title).toBe('🚀'.repeat(200));
    expect(faultsOf(() => parseAsk('permission', { ...ask, title: '🚀'.repeat(201) }))).toEqual([
      'title: is 201 characters long; at most 200 characters',
    ]);
  });

  it('names the place of every fault', () => {
    const five = Array.from({ length: 5 }, (_, index) => ({ label: `option ${index}` }));
    expect(() => parseAsk('steering', { ...ask, options: five })).toThrow(
      '[invalid_payload] options.4: at most 4 options',
    );
    expect(faultsOf(() => parseAsk('permission', { title: 1 }))).toEqual([
      'title: must be a string',
      'gist: is required',
    ]);
  });

  it.each([
    ['an undeclared argument', { ...ask, prioritiy: 1 }, 'prioritiy: is not an argument of this tool'],
    ['a near miss', { ...ask, extendd: 'x' }, 'extendd: is not an argument of this tool; did you mean extended?'],
    ['a wrong danger', { ...ask, danger_level: 'extreme' }, 'danger_level: must be "low" or "medium" or "high"'],
    ['a null', { ...ask, gist: null }, 'gist: must be a string'],
    ['an empty title', { ...ask, title: '  ' }, 'title: is empty; say something a person can decide on'],
    ['a line break in the title', { ...ask, title: 'a\nb' }, 'title: holds a line break; write one line'],
    [
      'a control character',
      { ...ask, gist: 'a\u0007b' },
      'gist: holds the control character U+0007 at position 1; remove it',
    ],
    [
      'half a surrogate pair',
      { ...ask, gist: 'a\ud800' },
      'gist: holds half of a surrogate pair; send well-formed Unicode',
    ],
  ])('refuses %s', (_name, payload, fault) => {
    expect(faultsOf(() => parseAsk('permission', payload))).toEqual([fault]);
  });

  it.each([
    [
      'two recommended options',
      [
        { label: 'a', recommended: true },
        { label: 'b', recommended: true },
      ],
      'options: at most one recommended option',
    ],
    [
      'the same label twice',
      [{ label: 'a' }, { label: ' a ' }],
      'options.1.label: is the same as options.0.label; make every choice different',
    ],
    ['an option with more in it', [{ label: 'a', cost: 1 }], 'options.0.cost: is not an argument of this tool'],
    ['recommended: false', [{ label: 'a', recommended: false }], 'options.0.recommended: must be true'],
    ['text for options', 'a', 'options: must be an array'],
  ])('refuses %s', (_name, options, fault) => {
    expect(faultsOf(() => parseAsk('steering', { ...ask, options }))).toEqual([fault]);
  });

  it.each([[null], [[]], ['text'], [7]])('refuses %j for arguments', (raw) => {
    expect(faultsOf(() => parseAsk('permission', raw)).length).toBeGreaterThan(0);
  });

  it('returns whatever well-formed text it accepts unchanged', () => {
    const printable = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(printable, (title) => {
        expect([...title].length > caps.title || parseAsk('permission', { ...ask, title }).title === title).toBe(true);
      }),
    );
  });
});
