/** Invented people and companies on test lists, and searches for them. Used by the tests of the engine. */
import fc from 'fast-check';
import { NameIndexBuilder } from '../../server/screening/engine/name-index.ts';
import { NameSearch } from '../../server/screening/engine/search.ts';
import type { Subject, SubjectIdentifier } from '../../server/screening/engine/subject.ts';
import type { EntityType, ListCategory, ListedEntity, ListedIdentifier } from '../../server/screening/listed-entity.ts';

const FIRST = ['Heitor', 'Jose', 'Mohammed', 'Ivan', 'Lukasz'];
const LAST = ['Montalvao', 'Silva', 'Karzoun', 'Petrenkov', 'Reis', 'al-Dariq'];

/** Alert threshold of the default profile for sanctions on persons. */
export const THRESHOLD = 0.82;

export interface Listed {
  type: EntityType;
  list?: string;
  names: { name: string; quality?: 'strong' | 'weak' }[];
  dobs?: string[];
  countries?: string[];
  taxId?: string;
  taxIdMasked?: string;
  identifiers?: ListedEntity['identifiers'];
}
export interface Query {
  type: Subject['type'];
  names: string[];
  dateOfBirth?: string;
  yearOfBirth?: number;
  nationalities?: string[];
  taxId?: string;
  identifiers?: Subject['identifiers'];
}

export const entityOf = (
  { type, names, dobs = [], countries = [], taxId, taxIdMasked, identifiers = [] }: Listed,
  key = '1',
): ListedEntity => ({
  key,
  type,
  category: 'sanction',
  gender: null,
  countries,
  programmes: [],
  position: null,
  references: [],
  sourceUrl: null,
  remarks: null,
  names: names.map(({ name, quality = 'strong' }, index) => ({
    name,
    quality,
    kind: index === 0 ? 'primary' : 'alias',
  })),
  birthDates: dobs.map((date) => {
    const circa = /^circa (\d{4})-(\d{4})$/.exec(date);
    return circa === null ? date : { from: Number(circa[1]), to: Number(circa[2]) };
  }),
  identifiers: [
    ...(taxId === undefined
      ? []
      : [{ kind: type === 'person' ? 'cpf' : 'cnpj', country: 'BR', value: taxId } as const]),
    ...(taxIdMasked === undefined ? [] : [{ kind: 'cpf_masked', country: 'BR', value: taxIdMasked } as const]),
    ...identifiers,
  ],
});
export const subjectOf = ({
  type,
  names,
  dateOfBirth,
  yearOfBirth,
  nationalities = [],
  taxId,
  identifiers = [],
}: Query): Subject => ({
  type,
  names,
  birthDate: dateOfBirth ?? yearOfBirth?.toString() ?? null,
  gender: null,
  countries: nationalities,
  taxId: taxId ?? null,
  identifiers,
});
export function searchIn(type: Subject['type'], ...entities: ListedEntity[]): NameSearch {
  const builder = new NameIndexBuilder(type);
  for (const entity of entities) builder.add(entity, 0);
  return new NameSearch(builder.build());
}
export const scoreOf = (query: Query, listed: Listed): number =>
  searchIn(query.type, entityOf(listed)).search(subjectOf(query), {
    threshold: 0,
    rules: [{ needsConfirmation: listed.list === 'pep-br', dobToleranceYears: 0 }],
  })[0]?.score ?? 0;

/** Returns whether the service shows a hit if `threshold` is the alert threshold of every list. */
export function alertsAt(
  threshold: number,
  query: Query,
  listed: Listed,
  category: ListCategory = 'sanction',
): boolean {
  const entity = { ...entityOf(listed), category };
  const alert = {
    sanction: threshold,
    pep: threshold,
    rca: threshold,
    adverse: threshold,
    watchlist: threshold,
    disqualified: threshold,
  };
  return (
    searchIn(query.type, entity).search(subjectOf(query), {
      threshold,
      rules: [{ needsConfirmation: listed.list === 'pep-br', dobToleranceYears: 0 }],
      counting: { categories: [category], alert, inOfficeOn: null },
    }).length > 0
  );
}

/** Numbers that entities and subjects share in several spellings, kinds and countries. */
export const listedNumbers: readonly ListedIdentifier[] = [
  { kind: 'passport', country: 'BR', value: 'YA123456' },
  { kind: 'passport', country: null, value: 'YB987654' },
  { kind: 'national_id', country: 'PT', value: '12345678' },
  { kind: 'imo', country: null, value: 'IMO9074729' },
  { kind: 'other', country: null, value: '9074729' },
  { kind: 'bic', country: null, value: 'DEUTDEFFXXX' },
  { kind: 'tax_number', country: 'BE', value: 'BE0430033662' },
  { kind: 'registration_number', country: null, value: '001177053' },
];
export const numbersOfSubject: readonly SubjectIdentifier[] = [
  { kind: 'passport', country: 'BR', value: 'YA123456' },
  { kind: 'passport', country: 'PT', value: 'YA123456' },
  { kind: 'passport', country: 'BR', value: 'YB987654' },
  { kind: 'passport', country: null, value: '12345678' },
  { kind: 'imo', country: null, value: '9074729' },
  { kind: 'imo', country: null, value: '9321483' },
  { kind: 'bic', country: null, value: 'DEUTDEFF' },
  { kind: 'tax_number', country: 'BE', value: '0430033662' },
  { kind: 'registration_number', country: null, value: '1177053' },
  { kind: 'other', country: null, value: '9074729' },
];

export const rules = [{ needsConfirmation: false, dobToleranceYears: 0 }];
const word = fc.constantFrom(
  'montalvao',
  'heitor',
  'karzoun',
  'jose',
  'silva',
  'da',
  'Иван',
  'Абдула',
  'محمد',
  '김',
  '李明',
  'Łukasz',
  'São',
  "sa'id",
  'al-Dariq',
  'Reis',
  'Falcoeira',
  'abd',
  'al',
  'rahman',
  'J',
  'mohammed',
  'Özgür',
  'Weiß',
  '𐘀𐘁𐘂',
  '王㧝',
  '𒀀',
);
export const personName = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));

/** Sixty people whose names share their words. */
export const people = Array.from({ length: 60 }, (_, index) =>
  entityOf(
    {
      type: 'person',
      names: [
        {
          name: `${FIRST[index % 5]} ${LAST[index % 6]} ${index % 7 === 0 ? 'Abd al-Rahman' : 'Falcoeira'}`,
        },
      ],
      dobs: [`19${40 + index}-05-17`],
    },
    String(index),
  ),
);
