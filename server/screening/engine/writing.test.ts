/** Tests of names in other writings. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NameOf, tokensOf, weightOf } from '../names/token.ts';
import { align } from './align.ts';
import { nameScoreOf, withWriting } from './judgement.ts';
import { literalKey } from './name-index.ts';

const ALERT = 0.82;
const weighed = (name: string, of: NameOf) =>
  tokensOf(name, of).map((token) => ({ ...token, weight: weightOf(token, 0) }));
const compared = (one: string, other: string, of: NameOf = 'person') =>
  withWriting(
    {
      subjectName: one,
      listedName: { name: other, kind: 'primary', quality: 'strong' },
      isLiteral: literalKey(one) === literalKey(other),
      alignment: align(weighed(one, of), weighed(other, of), of),
    },
    of,
  );
const scoreOf = (one: string, other: string, of: NameOf = 'person'): number => nameScoreOf(compared(one, other, of));

describe('A name in the writing of another language', () => {
  it.each([
    ['山田太郎', 'Taro Yamada'],
    ['太郎 山田', 'YAMADA, Taro'],
    ['佐々木健一', 'Kenichi Sasaki'],
    ['金正恩', 'Kim Jong Un'],
    ['김정은', 'Kim Jong-un'],
    ['이명박', 'Lee Myung Bak'],
    ['최정희', 'Choi Jeong Hui'],
    ['王建国', 'Wang Jianguo'],
    ['عبد الله محمد', 'Muhammad Abdullah'],
    ['عبدالرحمن قاسم', 'Abd al-Rahman Qasim'],
    ['محمد علي', 'Mohamed Ali'],
    ['أحمد حسين', 'Ahmad Hussein'],
  ])('%s is found under %s', (one, other) => {
    for (const [subject, listed] of [
      [one, other],
      [other, one],
    ] as const)
      expect(scoreOf(subject, listed)).toBeGreaterThanOrEqual(0.7);
  });

  it.each([
    ['whose syllables are in another order', '은정 김', 'Kim Jong Un', 'syllables_in_other_order'],
    ['that has a syllable more', '진호 준영 양', 'Jin Yong Yang', 'syllable_missing'],
    ['of two syllables, which many people have', '王伟', 'Wang Wei', 'other_script'],
    ['of which a syllable is only alike', '정영식', 'Jung Kyong Sik', 'syllable_differs'],
    ['that is read alike', '高石早苗', '高市早苗', 'other_signs'],
  ])('%s is no hit: %s and %s', (_, one, other, rule) => {
    expect(compared(one, other).alignment.caps.map((cap) => cap.rule)).toContain(rule);
    expect(scoreOf(one, other)).toBeLessThan(ALERT);
  });

  it('is equal in traditional and in simplified characters, and in any order', () => {
    expect(scoreOf('張偉', '张伟')).toBe(1);
    expect(scoreOf('早苗 高市', '高市 早苗')).toBe(1);
  });

  it('is capped by its writing only if it has no other words', () => {
    expect(compared('Jack Montalvao 马云', 'Jack Montalvao').alignment.caps.map(({ rule }) => rule)).not.toContain(
      'syllable_missing',
    );
    expect(scoreOf('Jack Montalvao 马云', 'Jack Montalvao')).toBeGreaterThan(ALERT);
  });

  it('has the same words in any order', () => {
    const word = fc.constantFrom(
      '山田',
      '太郎',
      '김',
      '정은',
      '철수',
      '金',
      '正恩',
      '李',
      '明',
      'たろう',
      'Sun',
      '王',
      '建国',
      'قاسم',
      'محمد',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        expect(literalKey(words.toReversed().join(' '))).toBe(literalKey(words.join(' ')));
      }),
    );
  });
});

describe('Evidence against a name', () => {
  it.each([
    [
      'a word in place of another one, however much else agrees',
      'Halim Tahir Musa Karzoun',
      'Halim Tahir Daud Karzoun',
    ],
    ['another patronymic', 'Rustam Ibrahimovich Petrenkov', 'Rustam Salimovich Petrenkov'],
    ['an initial that begins no other word', 'Heitor O Montalvao', 'Heitor Joaquim Montalvao'],
    ['what a servant of God is called after', 'Karzoun Abdul Hamid', 'Karzoun Abdul Ghani'],
  ])('is %s: %s, %s', (_, one, other) => {
    expect(scoreOf(one, other)).toBeLessThan(ALERT);
  });

  it.each([
    ['the letters of an abbreviation in another order', 'C.B.A. Navegação', 'A.B.C. Navegação'],
    ['another Roman number', 'Andorinha Fund II', 'Andorinha Fund III'],
  ])('of a company is %s: %s, %s', (_, one, other) => {
    expect(scoreOf(one, other, 'organisation')).toBeLessThan(ALERT);
  });

  it('is not a word that only one side has', () => {
    expect(scoreOf('Rustam Petrenkov', 'Rustam Ibrahimovich Petrenkov')).toBeGreaterThan(ALERT);
    expect(scoreOf('Heitor J Montalvao', 'Heitor Joaquim Montalvao')).toBeGreaterThan(ALERT);
  });
});
