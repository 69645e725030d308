/** Tests of pairs of names with an agreed result. A change of the engine that breaks one fails here. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  alertsAt,
  entityOf,
  type Listed,
  type Query,
  rules,
  scoreOf,
  searchIn,
  subjectOf,
  THRESHOLD,
} from '../../../test/support/searched-names.ts';
import { isScreenable } from '../names/fold.ts';
import type { Subject } from './subject.ts';

const SENTENCES = join(import.meta.dirname, '../../../../shared/vectors/screening-sentences/cases.json');

type Sentence = { id: string; why: string } & (
  | {
      type: 'alert';
      query: Query;
      listed: Listed;
      expect: 'must_alert' | 'must_not_alert';
    }
  | {
      type: 'order';
      a: { query: Query; listed: Listed };
      b: { query: Query; listed: Listed };
      expect: 'a_above_b' | 'a_equals_b' | 'a_not_below_b';
    }
  | {
      type: 'bound';
      query: Query;
      listed: Listed;
      expect: { atMost?: string; atLeast?: string };
    }
);

function holds(sentence: Sentence): boolean {
  if (sentence.type === 'alert')
    return (
      alertsAt(THRESHOLD, sentence.query, sentence.listed, sentence.listed.list === 'pep-br' ? 'pep' : 'sanction') ===
      (sentence.expect === 'must_alert')
    );
  if (sentence.type === 'bound') {
    const score = scoreOf(sentence.query, sentence.listed);
    return score <= Number(sentence.expect.atMost ?? 1) && score >= Number(sentence.expect.atLeast ?? 0);
  }
  const [a, b] = [sentence.a, sentence.b].map(({ query, listed }) => scoreOf(query, listed)) as [number, number];
  return { a_above_b: a > b, a_equals_b: a === b, a_not_below_b: a >= b }[sentence.expect];
}

const sentences = existsSync(SENTENCES)
  ? (JSON.parse(readFileSync(SENTENCES, 'utf8')) as { cases: Sentence[] }).cases
  : [];

describe('A screening', () => {
  it('gives the agreed result for each of the agreed sentences', () => {
    expect(sentences.filter((sentence) => !holds(sentence)).map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
  });
});

/** Covers the agreed sentences if their file is missing. */
describe('A name', () => {
  const alerts = (query: string, listed: string, type: Subject['type'] = 'person', list = 'sanction'): boolean =>
    scoreOf({ type, names: [query] }, { type, list, names: [{ name: listed }] }) >= THRESHOLD;

  it.each([
    ['José Antônio Bragança', 'BRAGANCA, Jose Antonio'],
    ['Ivan Petrenkov', 'Иван Петренков'],
    ['Mohamed Karzoun', 'Muhammad Karzoun'],
    ['Yusuf al-Dariq', 'Yousef Aldariq'],
    ['Abd al-Rahman Qasim', 'Abderrahmane Kassem'],
    ['Zé Augusto Montalvão', 'José Augusto Montalvão'],
    ['VladimirPetrenkov', 'Vladimir Petrenkov'],
    ['Pеtrenkov Vladimir', 'Vladimir Petrenkov'],
    ['J0SE Montalvão', 'Jose Montalvao'],
    ['Sa’id Karzoun', 'Saeed Karzoun'],
    ['Kim Jong Chol Sun', '김종철 Sun'],
    ['Roberto\u202e Falcoeira\u0000', 'Roberto Falcoiera'],
  ])('%s is found under %s', (query, listed) => {
    expect(alerts(query, listed)).toBe(true);
  });

  it.each([
    ['Ferramentas Aurora S.A.', 'FERRAMENTAS AURORA JOINT STOCK COMPANY'],
    ['Padaria Encantada Ltda', 'PADARIA ENCANTADA'],
    ['A.B.C. Navegação L.L.C.', 'ABC NAVEGACAO LLC'],
  ])('of a company, %s, is found under %s', (query, listed) => {
    expect(alerts(query, listed, 'organisation')).toBe(true);
  });

  it.each([
    ['Lia Montalvão', 'Lea Montalvão'],
    ['Pedro Falcão Brito', 'Ana Falcão Reis'],
    ['J. A. M.', 'José Antônio Montalvão'],
    ['Maria da Silva', 'Maria Souza'],
  ])('%s is not %s', (query, listed) => {
    expect(alerts(query, listed)).toBe(false);
  });

  it.each([
    ['Andorinha Fund 5', 'Andorinha Fund 8'],
    ['Global Trading Services Ltda', 'International Trading Group Ltda'],
    ['11420 Corp', 'Zetta Corp'],
  ])('of a company, %s, is not %s', (query, listed) => {
    expect(alerts(query, listed, 'organisation')).toBe(false);
  });

  it.each([
    '🙂🙃',
    '1234 5678',
    '٣٤٥',
    'Ⅳ ①',
    '--',
    '\u0000\u202e',
    '   ',
    '…',
    'ーー',
    'ʻʼ',
    'ـــ',
    '\u3164\u115f',
    '\u0301\u0301',
    '₢₢',
  ])('that has no letters is not screenable: %j', (name) => {
    expect(isScreenable(name)).toBe(false);
  });

  it.each(['Æ', 'Ñu', 'محمد', 'ع', 'א', '李', '㧝', '김', 'Ъ', '𞤀𞤣', '𐘀𐘁', '𒀀', 'ꦧꦩ', 'ᱥᱟ', 'សុខ'])(
    'in any script is screenable, and found by itself: %s',
    (name) => {
      expect(isScreenable(name)).toBe(true);
      expect(scoreOf({ type: 'person', names: [name] }, { type: 'person', names: [{ name }] })).toBe(1);
    },
  );

  it('in letters without a transliteration is distinguished from another one, and found by similar names', () => {
    const listed = [{ name: '𐘀𐘁𐘂 𐘃𐘄𐘅' }];
    const score = (name: string): number =>
      scoreOf({ type: 'person', names: [name] }, { type: 'person', names: listed });
    expect([score('𐘃𐘄𐘅 𐘀𐘁𐘂'), score('𐘀𐘁𐘂') > 0, score('𐘆𐘇 𐘈𐘉'), score('Ana Reis')]).toEqual([1, true, 0, 0]);
    expect(scoreOf({ type: 'person', names: ['王㧝'] }, { type: 'person', names: [{ name: '王㪲' }] })).toBeLessThan(
      THRESHOLD,
    );
  });

  it('of 300 signs, of one letter and of one word a hundred times is searched like any other', () => {
    const search = searchIn('person', entityOf({ type: 'person', names: [{ name: 'Heitor Montalvão Reis' }] }));
    for (const name of ['Montalvao '.repeat(30), 'x'.repeat(300), 'H', 'Heitor '.repeat(100)]) {
      expect(
        search
          .search(subjectOf({ type: 'person', names: [name] }), { threshold: 0.5, rules })
          .every(({ score }) => score <= 1),
      ).toBe(true);
    }
  });
});
