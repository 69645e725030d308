/** Tests of the format of names of people, including the time that checking takes. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { growth, LINEAR } from '../../test/support/processor-time.ts';
import { textFormats } from './text-formats.ts';

const {
  components: {
    schemas: { PersonName },
  },
} = JSON.parse(readFileSync(new URL('./generated/contract.runtime.json', import.meta.url), 'utf8')) as {
  readonly components: { readonly schemas: { readonly PersonName: { readonly pattern: string } } };
};
const pattern = new RegExp(PersonName.pattern, 'u');
const isName = (text: string): boolean => pattern.test(text) && textFormats['single-line'].validate(text);

describe('the name of a person', () => {
  it.each([
    [
      'Latin',
      [
        'José d’Ávila-Souza Jr.',
        "D'Ávila",
        'D´Ávila',
        '’t Hooft',
        'Nguye\u0302\u0303n Thị',
        'Gal·la',
        'Mª José',
        'Kahoʻolawe',
        'J.-P. Müller',
      ],
    ],
    ['Greek and Cyrillic', ['Παπαδόπουλος', 'Солженицын Александр', "Мар'яна"]],
    ['Armenian and Georgian', ['Հակոբյան', 'გიორგი']],
    ['Arabic', ['عبد الله', 'مُحَمَّد', 'علی\u200cرضا', 'نورالله\u200cزاده']],
    ['Hebrew', ['בן־גוריון', 'צ׳רצ׳יל', 'שָׁלוֹם']],
    ['Devanagari', ['नेहा', 'श्री\u200dराम', 'डॉ॰ शर्मा']],
    ['Bengali', ['র\u200d্যাচেল', 'শেখ হাসিনা']],
    ['Sinhala', ['ශ්\u200dරී ජයවර්ධන']],
    ['Tamil, Telugu, Kannada and Malayalam', ['க்\u200cஷேம்', 'శ్రీనివాస్', 'ರಾಜ್\u200cಕುಮಾರ್', 'രാജൻ']],
    ['Thai, Lao, Khmer and Burmese', ['สมชาย', 'ສົມພອນ', 'សុខា', 'အောင်ဆန်းစုကြည်']],
    ['Tibetan', ['བསྟན་འཛིན་']],
    ['Ethiopic', ['አበበ ቢቂላ']],
    ['Han, kana and Hangul', ['葛\u{e0100}城', '山田\u3000太郎', 'ジョン・スミス', '김정은', '𠮷田']],
    ['Cherokee and Adlam', ['ᏣᎳᎩ', '𞤀𞤣𞤤𞤢𞤥']],
  ])('may be written in %s', (_, names) => {
    expect(names.filter((name) => !isName(name))).toEqual([]);
  });

  it.each([
    ['no letter', ['--', "''", '. .', '’’', '- -']],
    ['another beginning', ['-Ana', '.Ana', ' Ana', '\u0301na']],
    ['digits of any script', ['Ana 2', 'Ana٣', 'नेहा३', 'Ana Ⅲ', 'Ana ②', '５Ana']],
    ['emoji', ['😀😀', 'Ana 😀', 'Ana ❤️', '👩\u200d⚕️ Ana']],
    [
      'currency and other signs',
      ['Ana €', 'Ana ₹', 'Ana @', 'Ana™', 'Ana©', 'Ana+B', 'Ana_B', 'Ana\u20dd', 'Ana—Lima', 'Ana,', 'Ana/Lima'],
    ],
    [
      'hidden characters',
      [
        'Ana\u200bSouza',
        'Ana\u202eSouza',
        'Ana\u00adSouza',
        'Ana\u3164Souza',
        'Ana\u115f',
        'Ana\u034fSouza',
        '\ufeffAna',
        'Ana\u{e0041}',
        'Ana\u2060B',
        'Ana\ue000',
      ],
    ],
    [
      'joiners where no script has them',
      ['Ana\u200dSouza', 'Ana\u200cSouza', 'שלום\u200dכהן', 'Анна\u200cБ', '山\u200d田'],
    ],
    [
      'joiners that join nothing',
      [
        'علی\u200c',
        '\u200cعلی',
        'علی\u200c رضا',
        'علی \u200cرضا',
        'علی\u200c\u200cرضا',
        'नेहा\u200d',
        'علی\u200cAna',
        '۵\u200c۶',
      ],
    ],
    ['several lines', ['Ana\nLima', 'Ana\tLima', 'Ana\u2028Lima']],
  ])('has no %s', (_, names) => {
    expect(names.filter(isName)).toEqual([]);
  });

  it.each(['ر\u200c', 'a ', 'ر'])('is checked in linear time: %j', async (piece) => {
    expect(
      await growth((length) => {
        expect(pattern.test(`${piece.repeat(length)}1`)).toBe(false);
      }, 100_000),
    ).toBeLessThan(LINEAR);
  });
});
