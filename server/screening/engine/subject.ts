/**
 * The person or organisation that is screened. Used by the engine and by the modules that search. Converts it to the
 * form of a listed entity for the reverse search.
 */
import type { IdentifierKind, ListedEntity, ListedIdentifier } from '../listed-entity.ts';
import type { NameOf } from '../names/token.ts';

/** A number of a subject, apart from its CPF or CNPJ. */
export interface SubjectIdentifier {
  readonly kind: Exclude<IdentifierKind, 'cpf' | 'cpf_masked' | 'cnpj'>;
  /** Capital letters and digits only. */
  readonly value: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

/** The person or organisation that is screened, with the known data. Vessels and aircraft count as organisations. */
export interface Subject {
  readonly type: NameOf;
  readonly names: readonly string[];
  /** A day or a year (ISO 8601). */
  readonly birthDate: string | null;
  readonly gender: 'female' | 'male' | null;
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
  /** The digits of a CPF, the letters and digits of a CNPJ. */
  readonly taxId: string | null;
  readonly identifiers: readonly SubjectIdentifier[];
}

/** Converts a subject to the form of indexed names, so that subjects can be searched for changes of a list. */
export function asListed(
  key: string,
  { type, names, birthDate, gender, countries, taxId, identifiers }: Subject,
): ListedEntity {
  const taxNumbers: ListedIdentifier[] =
    taxId === null ? [] : [{ kind: type === 'person' ? 'cpf' : 'cnpj', country: 'BR', value: taxId }];
  return {
    key,
    type,
    category: null,
    names: names.map((name) => ({ name, kind: 'primary', quality: 'strong' })),
    birthDates: birthDate === null ? [] : [birthDate],
    gender,
    countries,
    identifiers: [...taxNumbers, ...identifiers],
    programmes: [],
    position: null,
    references: [],
    sourceUrl: null,
    remarks: null,
  };
}

const BRAZILIAN: readonly IdentifierKind[] = ['cpf', 'cpf_masked', 'cnpj'];

/** Returns the subject of a converted entity. */
export function subjectIn({
  type,
  names,
  birthDates: [birthDate],
  gender,
  countries,
  identifiers,
}: ListedEntity): Subject {
  return {
    type: type === 'person' ? 'person' : 'organisation',
    names: names.map(({ name }) => name),
    birthDate: typeof birthDate === 'string' ? birthDate : null,
    gender,
    countries,
    taxId: identifiers.find(({ kind }) => kind === 'cpf' || kind === 'cnpj')?.value ?? null,
    identifiers: identifiers.filter((one): one is SubjectIdentifier => !BRAZILIAN.includes(one.kind)),
  };
}
