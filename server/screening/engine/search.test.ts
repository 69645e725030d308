import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntityType, ListedEntity } from '../listed-entity.ts';
import { finalScore } from './judgement.ts';
import { NameIndexBuilder } from './name-index.ts';
import { NameSearch } from './search.ts';
import type { Subject } from './subject.ts';

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

type Sentence = { id: string; why: string } & (
  | { type: 'alert'; query: Query; listed: Listed; expect: 'must_alert' | 'must_not_alert' }
  | { type: 'order'; a: { query: Query; listed: Listed }; b: { query: Query; listed: Listed }; expect: 'a_above_b' | 'a_equals_b' | 'a_not_below_b' }
  | { type: 'bound'; query: Query; listed: Listed; expect: { atMost?: string; atLeast?: string } });

function holds(sentence: Sentence): boolean {
  if (sentence.type === 'alert') return (scoreOf(sentence.query, sentence.listed) >= THRESHOLD) === (sentence.expect === 'must_alert');
  if (sentence.type === 'bound') {
    const score = scoreOf(sentence.query, sentence.listed);
    return score <= Number(sentence.expect.atMost ?? 1) && score >= Number(sentence.expect.atLeast ?? 0);
  }
  const [a, b] = [sentence.a, sentence.b].map(({ query, listed }) => scoreOf(query, listed)) as [number, number];
  return { a_above_b: a > b, a_equals_b: a === b, a_not_below_b: a >= b }[sentence.expect];
}

const sentences = existsSync(SENTENCES) ? (JSON.parse(readFileSync(SENTENCES, 'utf8')) as { cases: Sentence[] }).cases : [];

describe('A screening', () => {
  it('says of each of the agreed sentences what was agreed', () => {
    expect(sentences.filter((sentence) => !holds(sentence)).map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
  });
});
