import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCodePoints, cutVisibly, toVisible, toVisibleLine } from '../../src/channels/visible-text.ts';

describe('text that hides or reorders itself is made visible', () => {
  it.each([
    ['a right-to-left override', 'safe\u202Egpj.exe', 'safe⟨U+202E⟩gpj.exe'],
    ['a zero-width space', 'a\u200Bb', 'a⟨U+200B⟩b'],
    ['a bell', 'a\u0007b', 'a⟨U+0007⟩b'],
    ['a tag character', 'a\u{E0041}b', 'a⟨U+E0041⟩b'],
    ['a joiner between letters', 'a\u200Db', 'a⟨U+200D⟩b'],
    ['half a surrogate pair', 'a\ud83db', 'a⟨U+D83D⟩b'],
    ['a soft hyphen', 'pass\u00ADword', 'pass⟨U+00AD⟩word'],
    ['a grapheme joiner', 'a\u034Fb', 'a⟨U+034F⟩b'],
    ['a blank Braille cell', 'a\u2800b', 'a⟨U+2800⟩b'],
    ['a variation selector that draws nothing', 'a\uFE01b', 'a⟨U+FE01⟩b'],
    ['a musical control', 'a\u{1D173}b', 'a⟨U+1D173⟩b'],
    ['a Mongolian vowel separator', 'a\u180Eb', 'a⟨U+180E⟩b'],
  ])('%s', (_name, hidden, shown) => {
    expect(toVisible(hidden)).toBe(shown);
  });

  it('leaves ordinary writing alone: accents, scripts, emoji families, line breaks and tabs', () => {
    const text = 'naïve 日本語 עברית 👩‍👩‍👧‍👦 ❤️‍🔥 🏳️‍🌈 a\tb\nc é';
    expect(toVisible(text)).toBe(text);
  });

  it('makes one line of several where one line is shown', () => {
    expect(toVisibleLine('a\r\nb\n\nc')).toBe('a ⏎ b ⏎ c');
  });

  it('run twice changes nothing more', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => toVisible(toVisible(text)) === toVisible(text)));
  });
});

describe('cutting', () => {
  it('never leaves half a character, never exceeds the limit, and says that it cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 10, max: 40 }), (text, limit) => {
        const whole = text.toWellFormed();
        const cut = cutVisibly(whole, limit);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(cut.isWellFormed()).toBe(true);
        expect(cut === whole || cut.endsWith('… (cut)')).toBe(true);
      }),
    );
  });

  it('counts what people count', () => {
    expect(countCodePoints('🚀é')).toBe(2);
  });
});
