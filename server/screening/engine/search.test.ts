import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntityType, ListCategory, ListedEntity } from '../listed-entity.ts';
import { isScreenable } from '../names/fold.ts';
import { type Feature, featuresOf } from './features.ts';
import { finalScore } from './judgement.ts';
import { NameIndexBuilder } from './name-index.ts';
import { type Found, NameSearch } from './search.ts';
import { asListed, type Subject } from './subject.ts';

/** The alert line of the shipped profile for sanctions on persons. */
const THRESHOLD = 0.82;
const SENTENCES = join(import.meta.dirname, '../../../../shared/vectors/screening-sentences/cases.json');

interface Listed { type: EntityType; list?: string; names: { name: string; quality?: 'strong' | 'weak' }[]; dobs?: string[]; countries?: string[]; taxId?: string; taxIdMasked?: string }
interface Query { type: Subject['type']; names: string[]; dateOfBirth?: string; yearOfBirth?: number; nationalities?: string[]; taxId?: string }

const entityOf = ({ type, names, dobs = [], countries = [], taxId, taxIdMasked }: Listed, key = '1'): ListedEntity => ({
  key, type, category: 'sanction', gender: null, countries, programmes: [], position: null, references: [], sourceUrl: null, remarks: null,
  names: names.map(({ name, quality = 'strong' }, index) => ({ name, quality, kind: index === 0 ? 'primary' : 'alias' })),
  birthDates: dobs.map((date) => {
    const circa = /^circa (\d{4})-(\d{4})$/.exec(date);
    return circa === null ? date : { from: Number(circa[1]), to: Number(circa[2]) };
  }),
  identifiers: [...taxId === undefined ? [] : [{ kind: type === 'person' ? 'cpf' : 'cnpj', country: 'BR', value: taxId } as const], ...taxIdMasked === undefined ? [] : [{ kind: 'cpf_masked', country: 'BR', value: taxIdMasked } as const]],
});
const subjectOf = ({ type, names, dateOfBirth, yearOfBirth, nationalities = [], taxId }: Query): Subject => ({
  type, names, birthDate: dateOfBirth ?? yearOfBirth?.toString() ?? null, gender: null, countries: nationalities, taxId: taxId ?? null,
});
function searchIn(type: Subject['type'], ...entities: ListedEntity[]): NameSearch {
  const builder = new NameIndexBuilder(type);
  for (const entity of entities) builder.add(entity, 0);
  return new NameSearch(builder.build());
}
const scoreOf = (query: Query, listed: Listed): number => searchIn(query.type, entityOf(listed))
  .search(subjectOf(query), { threshold: 0, rules: [{ needsConfirmation: listed.list === 'pep-br', dobToleranceYears: 0 }] })[0]?.score ?? 0;

/** Whether the service shows a hit, the alert line of every list being the threshold. */
function alertsAt(threshold: number, query: Query, listed: Listed, category: ListCategory = 'sanction'): boolean {
  const entity = { ...entityOf(listed), category };
  const alert = { sanction: threshold, pep: threshold, rca: threshold, adverse: threshold, watchlist: threshold, disqualified: threshold };
  return searchIn(query.type, entity).search(subjectOf(query), {
    threshold, rules: [{ needsConfirmation: listed.list === 'pep-br', dobToleranceYears: 0 }], counting: { categories: [category], alert, inOfficeOn: null },
  }).length > 0;
}

type Sentence = { id: string; why: string } & (
  | { type: 'alert'; query: Query; listed: Listed; expect: 'must_alert' | 'must_not_alert' }
  | { type: 'order'; a: { query: Query; listed: Listed }; b: { query: Query; listed: Listed }; expect: 'a_above_b' | 'a_equals_b' | 'a_not_below_b' }
  | { type: 'bound'; query: Query; listed: Listed; expect: { atMost?: string; atLeast?: string } });

function holds(sentence: Sentence): boolean {
  if (sentence.type === 'alert') return alertsAt(THRESHOLD, sentence.query, sentence.listed, sentence.listed.list === 'pep-br' ? 'pep' : 'sanction') === (sentence.expect === 'must_alert');
  if (sentence.type === 'bound') {
    const score = scoreOf(sentence.query, sentence.listed);
    return score <= Number(sentence.expect.atMost ?? 1) && score >= Number(sentence.expect.atLeast ?? 0);
  }
  const [a, b] = [sentence.a, sentence.b].map(({ query, listed }) => scoreOf(query, listed)) as [number, number];
  return { a_above_b: a > b, a_equals_b: a === b, a_not_below_b: a >= b }[sentence.expect];
}

const sentences = existsSync(SENTENCES) ? (JSON.parse(readFileSync(SENTENCES, 'utf8')) as { cases: Sentence[] }).cases : [];

describe('A hit that an earlier algorithm kept', () => {
  it('has the score that it had, and reasons that add up to it', () => {
    const word = (text: string) => ({ subject: text, listed: text, method: 'exact', similarity: 1, weight: 1 }) as const;
    const kept = {
      of: 'organisation', subjectName: 'Aurora Boreal Celeste', listedName: { name: 'Aurora Boreal', kind: 'primary', quality: 'strong' }, isLiteral: false, identifier: null, modifiers: [], limits: [],
      alignment: { aligned: [word('aurora'), word('boreal')], unmatched: { subject: [{ token: 'celeste', weight: 1 }], listed: [] }, caps: [] },
    } as const;
    expect(finalScore(kept)).toBeCloseTo(2 / 2.2, 12);
    expect(featuresOf(kept).reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(2 / 2.2, 12);
  });
});

describe('A screening', () => {
  it('says of each of the agreed sentences what was agreed', () => {
    expect(sentences.filter((sentence) => !holds(sentence)).map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
  });
});

describe('A namesake on a list of sanctions', () => {
  const unnumbered: Listed = { type: 'person', names: [{ name: 'Heitor Montalvão Reis' }, { name: 'O Navegador Reis', quality: 'weak' }, { name: 'Karzoun' }], dobs: ['1961-04-02'], countries: ['PT'] };
  const listed: Listed = { ...unnumbered, taxId: '52998224725' };
  const query: Query = { type: 'person', names: ['heitor MONTALVAO reis'] };
  const other: Query = { ...query, dateOfBirth: '1990-12-25', nationalities: ['BR'] };

  it.each<[string, Query]>([
    ['another date of birth', { ...query, dateOfBirth: '1990-12-25' }], ['another year of birth', { ...query, yearOfBirth: 1916 }], ['another date and country', other], ['its words in another order', { ...other, names: ['Reis, Heitor Montalvão'] }],
    ['another script', { ...other, names: ['Хейтор Монталвао Рейс', 'Heitor Montalvão Reis'] }], ['a word written twice', { ...other, names: ['Heitor Reis Montalvão Reis'] }],
  ])('is a hit at every threshold in spite of %s', (_, asked) => {
    for (const threshold of [0.5, THRESHOLD, 1]) expect(alertsAt(threshold, asked, listed)).toBe(true);
  });

  it.each<[string, Query, Listed, ListCategory?]>([
    ['with another tax number', { ...other, taxId: '11144477735' }, listed], ['whose masked number has other digits', { ...other, taxId: '11144477735' }, { ...unnumbered, taxIdMasked: '***982247**' }],
    ['by a weak name', { ...other, names: ['O Navegador Reis'] }, listed], ['by one word', { ...other, names: ['Karzoun'] }, listed], ['by a name that is only like it', { ...other, names: ['Heitor Montalvão Reyes'] }, listed],
    ['of a politically exposed person', other, listed, 'pep'], ['of a watch list', other, listed, 'watchlist'], ['of somebody disqualified', other, listed, 'disqualified'],
  ])('is none %s', (_, asked, on, category) => {
    expect(alertsAt(THRESHOLD, asked, on, category)).toBe(false);
  });

  it('is found beside an index, and by the search for the subjects of an entity, as in one', () => {
    const entity = entityOf(listed);
    const counting = { categories: ['sanction' as const], alert: { sanction: THRESHOLD, pep: 1, rca: 1, adverse: 1, watchlist: 1, disqualified: 1 }, inOfficeOn: null };
    const search = (beside: boolean): Found[] => searchIn('person', ...beside ? [] : [entity]).search(subjectOf(other), { threshold: THRESHOLD, rules, counting, ...beside && { beside: [{ list: 0, entity }] } });
    expect(search(true)).toEqual(search(false).map((found) => ({ ...found, judgement: expect.anything() })));
    expect(search(false)).toHaveLength(1);
    expect([...searchIn('person', asListed('subject', subjectOf(other))).subjectsLike(entity, 'person', THRESHOLD, searchIn('person', entity))]).toEqual(['subject']);
  });
});

describe('A date of birth', () => {
  const scoreWith = (subject: string, listed: string): number => scoreOf({ type: 'person', names: ['Heitor Montalvão'], dateOfBirth: subject }, { type: 'person', names: [{ name: 'Heitor Montalvão' }], dobs: [listed] });

  it.each([
    ['day and month transposed', '1961-02-04', '1961-04-02'], ['two digits of the year swapped', '1916-04-02', '1961-04-02'], ['two digits of the day swapped', '1961-04-21', '1961-04-12'], ['one digit mistyped', '1961-04-02', '1967-04-02'],
    ['the day before', '1961-03-31', '1961-04-01'], ['the last day of the year before', '1961-12-31', '1962-01-01'], ['the month after', '1961-09-02', '1961-10-02'], ['the year after', '1999-04-02', '2000-04-02'],
  ])('with %s weakens a name by 0.05', (_, subject, listed) => {
    expect([scoreWith(subject, listed), scoreWith(listed, subject)]).toEqual([0.95, 0.95]);
  });

  it.each([['another day', '1961-08-27', '1961-04-02', 0.9], ['another date', '1975-08-27', '1961-04-02', 0.7], ['another year, where the list has no day', '1975-08-27', '1961', 0.85]])('that is %s weakens a name by more', (_, subject, listed, score) => {
    expect(scoreWith(subject, listed)).toBeCloseTo(score, 9);
  });
});

describe('An entity that is searched beside an index', () => {
  const listed = [entityOf({ type: 'person', names: [{ name: 'Sergei Listado Petrov' }, { name: 'O Contador', quality: 'weak' }], dobs: ['1961-04-02'] }, 'a'), entityOf({ type: 'person', names: [{ name: 'Maria Petrova' }] }, 'b')];
  const rules = [{ needsConfirmation: false, dobToleranceYears: 0 }];

  it('is judged as the same entity in the index is, whatever is screened', () => {
    const word = fc.constantFrom('Sergei', 'Sergej', 'Listado', 'Petrov', 'Petrova', 'Maria', 'O', 'Contador', 'Silva');
    fc.assert(fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.constantFrom(undefined, '1961-04-02', '1962-01-01'), (words, dateOfBirth) => {
      const found = searchIn('person', ...listed).search(subjectOf({ type: 'person', names: [words.join(' ')], ...dateOfBirth !== undefined && { dateOfBirth } }), {
        threshold: THRESHOLD, rules, beside: listed.map((entity) => ({ list: 0, entity: { ...entity, key: `${entity.key} beside` } })),
      });
      const scores = (beside: boolean) => found.filter(({ entity }) => entity.key.endsWith('beside') === beside).map(({ entity, score, judgement }) => [entity.key.slice(0, 1), score, judgement]);
      expect(scores(true)).toEqual(scores(false));
    }), { numRuns: 300, seed: 20261125 });
  });

  it('is left out where its list is not searched, or another kind of name is', () => {
    const [entity] = listed;
    const search = (type: Subject['type'], list: number) => searchIn(type).search(subjectOf({ type, names: ['Sergei Listado Petrov'] }), { threshold: THRESHOLD, rules, beside: [{ list, entity: entity! }] });
    expect([search('person', 0), search('person', 1), search('organisation', 0)].map(({ length }) => length)).toEqual([1, 0, 0]);
  });
});

/** What the agreed sentences say, for where they are not at hand. */
describe('A name', () => {
  const alerts = (query: string, listed: string, type: Subject['type'] = 'person', list = 'sanction'): boolean => scoreOf({ type, names: [query] }, { type, list, names: [{ name: listed }] }) >= THRESHOLD;

  it.each([
    ['José Antônio Bragança', 'BRAGANCA, Jose Antonio'], ['Ivan Petrenkov', 'Иван Петренков'], ['Mohamed Karzoun', 'Muhammad Karzoun'], ['Yusuf al-Dariq', 'Yousef Aldariq'], ['Abd al-Rahman Qasim', 'Abderrahmane Kassem'],
    ['Zé Augusto Montalvão', 'José Augusto Montalvão'], ['VladimirPetrenkov', 'Vladimir Petrenkov'], ['Pеtrenkov Vladimir', 'Vladimir Petrenkov'], ['J0SE Montalvão', 'Jose Montalvao'], ['Sa’id Karzoun', 'Saeed Karzoun'],
    ['Kim Jong Chol Sun', '김종철 Sun'], ['Roberto\u202e Falcoeira\u0000', 'Roberto Falcoiera'],
  ])('%s is found under %s', (query, listed) => {
    expect(alerts(query, listed)).toBe(true);
  });

  it.each([['Ferramentas Aurora S.A.', 'FERRAMENTAS AURORA JOINT STOCK COMPANY'], ['Padaria Encantada Ltda', 'PADARIA ENCANTADA'], ['A.B.C. Navegação L.L.C.', 'ABC NAVEGACAO LLC']])('of a company, %s, is found under %s', (query, listed) => {
    expect(alerts(query, listed, 'organisation')).toBe(true);
  });

  it.each([['Lia Montalvão', 'Lea Montalvão'], ['Pedro Falcão Brito', 'Ana Falcão Reis'], ['J. A. M.', 'José Antônio Montalvão'], ['Maria da Silva', 'Maria Souza']])('%s is not %s', (query, listed) => {
    expect(alerts(query, listed)).toBe(false);
  });

  it.each([['Andorinha Fund 5', 'Andorinha Fund 8'], ['Global Trading Services Ltda', 'International Trading Group Ltda'], ['11420 Corp', 'Zetta Corp']])('of a company, %s, is not %s', (query, listed) => {
    expect(alerts(query, listed, 'organisation')).toBe(false);
  });

  it.each(['🙂🙃', '1234 5678', '٣٤٥', 'Ⅳ ①', '--', '\u0000\u202e', '   ', '…', 'ーー', 'ʻʼ', 'ـــ', '\u3164\u115f', '\u0301\u0301', '₢₢'])('that has no letters is not screenable: %j', (name) => {
    expect(isScreenable(name)).toBe(false);
  });

  it.each(['Æ', 'Ñu', 'محمد', 'ع', 'א', '李', '㧝', '김', 'Ъ', '𞤀𞤣', '𐘀𐘁', '𒀀', 'ꦧꦩ', 'ᱥᱟ', 'សុខ'])('in any script is screenable, and found under itself: %s', (name) => {
    expect(isScreenable(name)).toBe(true);
    expect(scoreOf({ type: 'person', names: [name] }, { type: 'person', names: [{ name }] })).toBe(1);
  });

  it('in letters without a transliteration is told from another one, and found by what is like it', () => {
    const listed = [{ name: '𐘀𐘁𐘂 𐘃𐘄𐘅' }];
    const score = (name: string): number => scoreOf({ type: 'person', names: [name] }, { type: 'person', names: listed });
    expect([score('𐘃𐘄𐘅 𐘀𐘁𐘂'), score('𐘀𐘁𐘂') > 0, score('𐘆𐘇 𐘈𐘉'), score('Ana Reis')]).toEqual([1, true, 0, 0]);
    expect(scoreOf({ type: 'person', names: ['王㧝'] }, { type: 'person', names: [{ name: '王㪲' }] })).toBeLessThan(THRESHOLD);
  });

  it('of 300 signs, of one letter and of one word a hundred times is searched like any other', () => {
    const search = searchIn('person', entityOf({ type: 'person', names: [{ name: 'Heitor Montalvão Reis' }] }));
    for (const name of ['Montalvao '.repeat(30), 'x'.repeat(300), 'H', 'Heitor '.repeat(100)]) {
      expect(search.search(subjectOf({ type: 'person', names: [name] }), { threshold: 0.5, rules }).every(({ score }) => score <= 1)).toBe(true);
    }
  });
});

/** As the contract says how a score follows from its reasons. */
function scoreByReasons(features: readonly Feature[]): number {
  const of = (name: Feature['name']): readonly Feature[] => features.filter((feature) => feature.name === name);
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
  const [divisor] = of('divisor');
  const words = divisor!.weight === 0 ? 0 : sum(of('alignment').map(({ weight, similarity }) => weight! * similarity!)) / divisor!.weight!;
  const capped = of('literal').length > 0 ? 1 : Math.min(words, ...of('cap').map(({ limit }) => limit!));
  const numbered = of('identifier').length > 0 ? Math.max(0.97, capped) : capped;
  const known = Math.min(1, Math.max(0, numbered + sum(of('modifier').map(({ contribution }) => contribution))));
  return Math.min(known, ...of('list_rule').map(({ limit }) => limit!));
}

/** A reason why a score is not 1: something takes from it, or is no more than alike. */
const takesAway = ({ name, contribution, similarity }: Feature): boolean => contribution < 0 || name === 'unmatched' || name === 'identifier' || (similarity !== null && similarity < 1);

const rules = [{ needsConfirmation: false, dobToleranceYears: 0 }];
const word = fc.constantFrom('montalvao', 'heitor', 'karzoun', 'jose', 'silva', 'da', 'Иван', 'Абдула', 'محمد', '김', '李明', 'Łukasz', 'São', "sa'id", 'al-Dariq', 'Reis', 'Falcoeira', 'abd', 'al', 'rahman', 'J', 'mohammed', 'Özgür', 'Weiß', '𐘀𐘁𐘂', '王㧝', '𒀀');
const personName = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));

describe('A search', () => {
  const people = Array.from({ length: 60 }, (_, index) => entityOf({ type: 'person', names: [{ name: `${['Heitor', 'Jose', 'Mohammed', 'Ivan', 'Lukasz'][index % 5]} ${['Montalvao', 'Silva', 'Karzoun', 'Petrenkov', 'Reis', 'al-Dariq'][index % 6]} ${index % 7 === 0 ? 'Abd al-Rahman' : 'Falcoeira'}` }], dobs: [`19${40 + index}-05-17`] }, String(index)));
  const search = searchIn('person', ...people);
  const scoresBy = (query: Query, threshold: number): Map<string, number> => new Map(search.search(subjectOf(query), { threshold, rules }).map(({ entity, score }) => [entity.key, score]));

  it('finds each name under itself with 1, in any order of its words, any case and without accents', () => {
    fc.assert(fc.property(personName, fc.infiniteStream(fc.nat()), (name, order) => {
      const own = searchIn('person', entityOf({ type: 'person', names: [{ name }] }));
      const shuffled = name.split(' ').map((text) => ({ text, place: order.next().value as number })).sort((a, b) => a.place - b.place).map(({ text }) => text).join(' ');
      for (const query of [name, shuffled, name.toUpperCase(), name.toLowerCase(), name.normalize('NFD').replace(/\p{Mn}/gu, '')]) {
        if (isScreenable(query)) expect(own.search(subjectOf({ type: 'person', names: [query] }), { threshold: 1, rules })[0]?.score, query).toBe(1);
      }
    }), { numRuns: 300 });
  });

  it('loses no hit when the threshold falls, and scores none otherwise', () => {
    fc.assert(fc.property(personName, fc.integer({ min: 50, max: 99 }), (name, percent) => {
      const [strict, lax] = [scoresBy({ type: 'person', names: [name] }, percent / 100), scoresBy({ type: 'person', names: [name] }, 0.5)];
      for (const [key, score] of strict) expect(lax.get(key)).toBe(score);
      expect([...lax.values()].filter((score) => score >= percent / 100)).toHaveLength(strict.size);
    }), { numRuns: 200 });
  });

  it('loses no hit when the threshold falls, however far apart the words are that are a little alike', () => {
    const alike = ['Kassem', 'Hassan', 'Ghassan', 'Belal', 'Bilal', 'Chong', 'Song', 'Hong', 'A', 'Abeni', 'Wole', 'Khodakovskiy', 'Gusakovsky', 'Bohatyrova', 'Bogatirov', 'Omar', 'Oumsen', 'Hussain', 'Horbanian', 'Ghorbaniyan'];
    const names = fc.array(fc.uniqueArray(fc.constantFrom(...alike), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')), { minLength: 5, maxLength: 15 });
    fc.assert(fc.property(names, names, fc.constantFrom(0.6, 0.7, THRESHOLD, 0.9), (listed, asked, threshold) => {
      const own = searchIn('person', ...listed.map((name, index) => entityOf({ type: 'person', names: [{ name }] }, String(index))));
      for (const name of asked) {
        const [strict, lax] = [threshold, 0.5].map((least) => own.search(subjectOf({ type: 'person', names: [name] }), { threshold: least, rules })) as [Found[], Found[]];
        expect(strict.map(({ entity, score }) => [entity.key, score]), name).toEqual(lax.filter(({ score }) => score >= threshold).map(({ entity, score }) => [entity.key, score]));
      }
    }), { numRuns: 200 });
  });

  it('scores nobody lower for a birth date that is the right one', () => {
    fc.assert(fc.property(fc.nat(59), fc.constantFrom('Falcoeira', 'Rahman', 'Reis', ''), (index, extra) => {
      const names = [`${people[index]!.names[0]!.name} ${extra}`];
      const key = String(index);
      expect(scoresBy({ type: 'person', names, dateOfBirth: `19${40 + index}-05-17` }, 0.5).get(key) ?? 0).toBeGreaterThanOrEqual(scoresBy({ type: 'person', names }, 0.5).get(key) ?? 0);
    }), { numRuns: 100 });
  });

  it('says why each score is what it is, so that it can be computed from the reasons alone, and why it is not more', () => {
    const listed = [
      ...people, entityOf({ type: 'person', names: [{ name: 'Touro', quality: 'weak' }, { name: 'O Touro Falcoeira', quality: 'weak' }, { name: '王小明' }, { name: 'J. Reis' }], dobs: ['1955-05-17'], countries: ['PT'], taxIdMasked: '***982247**' }, 'various'),
      entityOf({ type: 'person', names: [{ name: 'Numeroso Reis 5' }], taxId: '52998224725' }, 'numbered'),
    ];
    const all = searchIn('person', ...listed);
    const asked = fc.record({
      name: fc.oneof(personName, fc.constantFrom('Touro', 'Wang Xiaoming', '王明小', 'Falcoeira Touro', 'José Reis', 'Reis 7', 'Heitor Montalvao Reis Karzoun Souza')), dateOfBirth: fc.constantFrom(undefined, '1955-05-17', '1955-05-18', '1990-01-01'),
      nationalities: fc.constantFrom<string[]>([], ['PT'], ['BR']), taxId: fc.constantFrom(undefined, '52998224725', '11144477735'), needsConfirmation: fc.boolean(),
    });
    const told = new Set<string>();
    fc.assert(fc.property(asked, ({ name, dateOfBirth, nationalities, taxId, needsConfirmation }) => {
      const query = { type: 'person' as const, names: [name], nationalities, ...dateOfBirth !== undefined && { dateOfBirth }, ...taxId !== undefined && { taxId } };
      for (const { judgement, score } of all.search(subjectOf(query), { threshold: 0.4, rules: [{ needsConfirmation, dobToleranceYears: 0 }] })) {
        const features = featuresOf(judgement);
        expect(scoreByReasons(features), name).toBeCloseTo(score, 9);
        if (score < 1) expect(features.filter(takesAway), name).not.toEqual([]);
        for (const feature of features) told.add(feature.name);
      }
    }), { numRuns: 400, seed: 20261125 });
    expect([...told].sort()).toEqual(['alignment', 'bounds', 'cap', 'divisor', 'identifier', 'list_rule', 'modifier', 'unmatched']);
  });

  it('tells the words of a name of a thousand characters in as many reasons as an answer holds', () => {
    const name = Array.from({ length: 330 }, (_, index) => `w${index.toString(36)}`).join(' ');
    const [found] = searchIn('person', entityOf({ type: 'person', names: [{ name: `Heitor Montalvão ${name}` }], taxId: '52998224725' })).search(subjectOf({ type: 'person', names: ['Heitor Montalvão'], taxId: '52998224725' }), { threshold: 0.5, rules });
    const features = featuresOf(found!.judgement);
    expect([features.length < 100, scoreByReasons(features)]).toEqual([true, 0.97]);
    expect(features.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(0.97, 9);
  });

  it('explains each score so that it can be computed again from what is written down', () => {
    fc.assert(fc.property(personName, (name) => {
      for (const { judgement, score } of search.search(subjectOf({ type: 'person', names: [name], dateOfBirth: '1955-05-17' }), { threshold: 0.5, rules })) {
        const stored = JSON.parse(JSON.stringify(judgement)) as typeof judgement;
        expect(Math.abs(finalScore(stored) - score)).toBeLessThan(1e-9);
        expect(Math.abs(featuresOf(stored).reduce((sum, { contribution }) => sum + contribution, 0) - score)).toBeLessThan(1e-9);
      }
    }), { numRuns: 200 });
  });

  it('finds who has the same number under another name, and says that the names differ', () => {
    const own = searchIn('person', entityOf({ type: 'person', names: [{ name: 'Outro Nome Qualquer' }], taxId: '52998224725' }));
    const [found] = own.search(subjectOf({ type: 'person', names: ['Clarice Montalvão'], taxId: '52998224725' }), { threshold: 0.95, rules });
    expect([found?.score, found?.judgement.identifier]).toEqual([0.97, { kind: 'cpf', country: 'BR', nameConflicts: true }]);
  });

  it.each([['Yasir Karzoun', 0.75], ['Touro', 0.6], ['Jose Maria', 0.6]])('scores %s, which a list marks as weak, at %f, and higher only with supporting data', (name, score) => {
    const own = searchIn('person', entityOf({ type: 'person', names: [{ name: 'Amadeu Ferrugem Pinto' }, { name, quality: 'weak' }], dobs: ['1966-01-09'] }));
    const scoreWith = (query: Omit<Query, 'type' | 'names'>): number | undefined => own.search(subjectOf({ type: 'person', names: [name], ...query }), { threshold: 0.5, rules })[0]?.score;
    expect([scoreWith({}), scoreWith({ dateOfBirth: '1966-01-09' })]).toEqual([score, 0.85]);
  });

  it('leaves out the lists that are not asked for', () => {
    expect(search.search(subjectOf({ type: 'person', names: [people[0]!.names[0]!.name] }), { threshold: 0.5, rules: [] })).toEqual([]);
  });

  it.each([['Jose Silva', 'Jose Silva Silva'], ['Muhammad Abdulrahman', 'Muhammad Abd al-Rahman']])('takes %s and %s for the same, though the words are common', (one, other) => {
    for (const [listed, asked] of [[one, other], [other, one]] as const) {
      expect(searchIn('person', entityOf({ type: 'person', names: [{ name: listed }] }), ...Array.from({ length: 200 }, (_, index) => entityOf({ type: 'person', names: [{ name: `${one} ${['Reis', 'Prado', 'Lemos'][index % 3]} ${'abcdefgh'[index % 8]}${index}` }] }, `n${index}`))).search(subjectOf({ type: 'person', names: [asked] }), { threshold: 0.95, rules }).map(({ score }) => score)).toEqual([1]);
    }
  });

  it('finds, the other way round, each subject for whom an entity is a hit, whatever is misspelt, shortened, joined or left out', () => {
    const given = ['Heitor', 'Jose', 'Zé', 'J', 'Mohammed', 'Muhammad', 'Ivan', 'Иван', 'Lukasz', 'Łukasz', 'Catarina', 'Katharina'];
    const family = ['Montalvao', 'Montalvão', 'Montalvan', 'Silva', 'Karzoun', 'Karzun', 'Petrenkov', 'Reis', 'al-Dariq', 'Aldariq', 'Falcoeira', 'Falcoiera', 'Abd al-Rahman', 'Abdulrahman'];
    const nameOf = (all: readonly string[]) => fc.tuple(fc.constantFrom(...given), fc.subarray([...all], { minLength: 1, maxLength: 3 }), fc.boolean()).map(([first, rest, last]) => (last ? [...rest, first] : [first, ...rest]).join(' '));
    const [name, listedName] = [nameOf(family), nameOf([...family, 'HeitorReis'])];
    const listed = fc.tuple(fc.array(listedName, { minLength: 1, maxLength: 3 }), fc.constantFrom('strong', 'weak'), fc.subarray(['1955-05-17', '1956']), fc.subarray(['BR', 'PT'])).map(([names, quality, dobs, countries]) => (
      { type: 'person' as const, names: names.map((text, index) => ({ name: text, quality: index === 0 ? 'strong' as const : quality })), dobs, countries }));
    const screened = fc.record({ name, dateOfBirth: fc.constantFrom('1955-05-17', '1955-05-17', '1955', '1954', '1990-01-01', undefined), nationalities: fc.subarray(['BR', 'RU']) })
      .map(({ name: text, ...known }) => subjectOf({ type: 'person', names: [text], ...known }));
    let hits = 0;
    fc.assert(fc.property(fc.array(listed, { minLength: 5, maxLength: 20 }), fc.array(screened, { minLength: 5, maxLength: 30 }), fc.constantFrom(0.7, THRESHOLD, 0.9, 0.95), (lists, subjects, threshold) => {
      const entities = lists.map((one, index) => entityOf(one, `e${index}`));
      const forward = searchIn('person', ...entities);
      const reverse = searchIn('person', ...subjects.map((subject, index) => asListed(`s${index}`, subject)));
      const affected = new Map(entities.map((entity) => [entity.key, reverse.subjectsLike(entity, 'person', threshold, forward)]));
      subjects.forEach((subject, index) => {
        for (const { entity } of forward.search(subject, { threshold, rules })) {
          hits++;
          expect(affected.get(entity.key), `${subject.names[0]} and ${entity.names.map((one) => one.name).join(', ')}`).toContain(`s${index}`);
        }
      });
    }), { numRuns: 400 });
    expect(hits).toBeGreaterThan(1000);
  });

  it('finds, the other way round, who has the number of an entity', () => {
    const subjects = searchIn('person', asListed('subject', subjectOf({ type: 'person', names: ['Clarice Montalvão'], taxId: '52998224725' })));
    expect([...subjects.subjectsLike(entityOf({ type: 'person', names: [{ name: 'Outro Nome' }], taxId: '52998224725' }), 'person', 0.9, search)]).toEqual(['subject']);
  });
});
