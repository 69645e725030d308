/** Tests of the formats of texts: invisible characters, lines and blank names. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { each } from '../../test/support/each.ts';
import { growth, LINEAR } from '../../test/support/processor-time.ts';
import { isTextFormat, textFormats } from './text-formats.ts';

interface Text {
  readonly format: 'single-line' | 'multi-line';
  readonly pattern: RegExp;
  readonly at: string;
}

/** All texts of the contract with such a format. */
const texts: Text[] = [];
collect(JSON.parse(readFileSync(new URL('./generated/contract.runtime.json', import.meta.url), 'utf8')), '');

function collect(node: unknown, at: string): void {
  if (typeof node !== 'object' || node === null) return;
  const { format, pattern } = node as { format?: unknown; pattern?: string };
  if (isTextFormat(format)) texts.push({ format, pattern: new RegExp(pattern ?? '', 'u'), at });
  for (const [key, child] of Object.entries(node)) collect(child, `${at}/${key}`);
}

const within16Bits = [
  ...range(0, 9),
  ...range(0x0b, 0x1f),
  ...range(0x7f, 0x9f),
  0xad,
  0x034f,
  0x061c,
  0x115f,
  0x1160,
  0x17b4,
  0x17b5,
  0x180e,
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x206f),
  0x2800,
  0x3164,
  0xfeff,
  0xffa0,
  ...range(0xfff9, 0xfffb),
];
const beyond = [0xe000, 0xfdd0, 0xffff, 0x1bca0, 0x1d173, ...range(0xe0001, 0xe007f), 0xf0000, 0x10ffff];

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

const fits = ({ format, pattern }: Text, text: string): boolean =>
  textFormats[format].validate(text) && pattern.test(text);

describe('text for people', () => {
  it('is marked in the contract', () => {
    expect(texts.length).toBeGreaterThan(15);
    expect(new Set(texts.map(({ format }) => format)).size).toBe(2);
  });

  it('has no character that is invisible or changes the display of others, by the pattern of the contract alone', () => {
    for (const { pattern, at } of each(texts)) {
      for (const code of within16Bits)
        expect(pattern.test(`ab${String.fromCodePoint(code)}cd`), `${at} U+${code.toString(16)}`).toBe(false);
    }
  });

  it.each(Object.entries(textFormats))('has none of all Unicode by the format %s', (_, { validate }) => {
    for (const code of [...within16Bits, ...beyond, 0xd800, 0xdfff])
      expect(validate(`ab${String.fromCodePoint(code)}cd`), `U+${code.toString(16)}`).toBe(false);
  });

  it('stays on one line, unless it may have several', () => {
    for (const text of texts) expect(fits(text, 'ab\ncd'), text.at).toBe(text.format === 'multi-line');
    for (const end of ['\r', '\r\n', '\v', '\f', '\x85', '\u2028', '\u2029'])
      expect(texts.filter((text) => fits(text, `ab${end}cd`))).toEqual([]);
  });

  it('is not blank if it is a name', () => {
    const lines = texts.filter(({ format }) => format === 'single-line');
    for (const blank of [' ', '   ', '\u00a0', '\u3000', '\u2003\u2003', '\u1680', ' a'])
      expect(
        lines.filter((text) => fits(text, blank)),
        JSON.stringify(blank),
      ).toEqual([]);
  });

  it.each([
    'José d’Ávila-Souza Jr.',
    'Nguye\u0302\u0303n Thị',
    'שָׁלוֹם',
    'عبد الله',
    'नेहा',
    '葛\u{e0100}城',
    'Kahoʻolawe',
    'Ærøskøbing',
    'สมชาย',
    'علی\u200cرضا',
    'র\u200d্যাচেল',
    'ශ්\u200dරී',
  ])('may be written in any script: %s', (name) => {
    expect(texts.filter((text) => !fits(text, name))).toEqual([]);
  });

  it.each(['Ana\u200dSouza', 'علی\u200c', 'علی\u200c رضا', 'علی\u200c\u200cرضا', '\u200cعلی', '👩\u200d⚕️', '۵\u200c۶'])(
    'has joiners only between letters of scripts that use them: %j',
    (text) => {
      expect(texts.filter((one) => fits(one, text))).toEqual([]);
    },
  );

  it('is checked in linear time', async () => {
    const judges = [
      ...texts.slice(0, 5).map(
        ({ pattern }) =>
          (text: string) =>
            pattern.test(text),
      ),
      ...Object.values(textFormats).map(({ validate }) => validate),
    ];
    for (const judge of each(judges))
      expect(
        await growth((length) => {
          expect(judge(`${'a '.repeat(length)}\u202e`)).toBe(false);
        }, 100_000),
      ).toBeLessThan(LINEAR);
  });
});
