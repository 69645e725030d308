/**
 * Compares the numbers of a subject with those of an entity. Used by judgement, search and index. A key that is left
 * out hides hits; keys that agree by chance only cost time.
 */
import type { IdentifierKind, ListedEntity, ListedIdentifier } from '../listed-entity.ts';
import type { Subject, SubjectIdentifier } from './subject.ts';

type SubjectIdentifierKind = SubjectIdentifier['kind'];

interface KindRule {
  /**
   * Kinds on lists that may be this one. Lists name papers of one person differently, and registers of one company by
   * any of these names.
   */
  readonly listed: readonly IdentifierKind[];
  /** Whether each country issues numbers of its own, so that two countries may issue the same one. */
  readonly isNational: boolean;
}

const PAPERS = ['passport', 'national_id', 'other'] as const;
const REGISTERS = ['registration_number', 'other'] as const;

const RULES: Readonly<Record<SubjectIdentifierKind, KindRule>> = {
  passport: { listed: PAPERS, isNational: true },
  national_id: { listed: [...PAPERS, 'tax_number', 'cpf'], isNational: true },
  tax_number: { listed: ['tax_number', 'cpf', 'cnpj', 'national_id', ...REGISTERS], isNational: true },
  registration_number: { listed: [...REGISTERS, 'tax_number', 'cnpj'], isNational: true },
  lei: { listed: ['lei', ...REGISTERS], isNational: false },
  bic: { listed: ['bic', ...REGISTERS], isNational: false },
  imo: { listed: ['imo', ...REGISTERS], isNational: false },
  mmsi: { listed: ['mmsi', ...REGISTERS], isNational: false },
  aircraft_registration: { listed: ['aircraft_registration', ...REGISTERS], isNational: false },
  wallet: { listed: ['wallet', 'other'], isNational: false },
  other: {
    listed: [
      ...(['passport', 'national_id', 'tax_number', 'registration_number', 'other', 'cpf', 'cnpj'] as const),
      ...(['lei', 'bic', 'imo', 'mmsi', 'aircraft_registration', 'wallet'] as const),
    ],
    isNational: true,
  },
};

const ofShip = (value: string): string => value.replace(/^(?:IMO|MMSI)(?:NO|NR|NUMBER)?(?=\d)/, '');
const withoutZeros = (value: string): string => value.replace(/^0+(?=\d{5})/, '');

/** Normalisations by kind: removes prefixes, suffixes and leading zeros that not every source writes. */
const LEFT_OUT: Partial<Readonly<Record<SubjectIdentifierKind, (value: string) => string>>> = {
  imo: ofShip,
  mmsi: ofShip,
  // The head office of a bank.
  bic: (value) => value.replace(/^(\w{8})XXX$/, '$1'),
  // The country before a number of value added tax.
  tax_number: (value) => withoutZeros(value.replace(/^[A-Z]{2}(?=\d{5})/, '')),
  registration_number: withoutZeros,
};

/** Returns a number in its compared form, by the rules of its kind. */
const compared = (kind: SubjectIdentifierKind, value: string): string => LEFT_OUT[kind]?.(value) ?? value;

/** Signs of a CNPJ, and those of its root, which all branches of a company share. */
const CNPJ = { whole: 14, root: 8 } as const;
const rootOf = (cnpj: string): string => `root ${cnpj.slice(0, CNPJ.root)}`;
const isWholeCnpj = (value: string): boolean => value.length === CNPJ.whole;

/** Returns `identifiers` and `furtherIdentifiers` of an entity. */
const numbersOf = ({ identifiers, furtherIdentifiers = [] }: ListedEntity): readonly ListedIdentifier[] => [
  ...identifiers,
  ...furtherIdentifiers,
];

/** Returns the keys by which the numbers of an entity are found. A masked CPF has none. */
export const keysOfEntity = (entity: ListedEntity): readonly string[] => [
  ...new Set(
    numbersOf(entity).flatMap(({ kind, value }) =>
      kind === 'cpf_masked'
        ? []
        : [
            value,
            ...Object.values(LEFT_OUT).map((without) => without(value)),
            ...(kind === 'cnpj' && isWholeCnpj(value) ? [rootOf(value)] : []),
          ],
    ),
  ),
];

/** Returns the keys by which the entities with a number of the subject are found. */
export const keysOfSubject = ({ type, taxId, identifiers }: Subject): readonly string[] => [
  ...new Set([
    ...(taxId === null ? [] : [taxId]),
    ...(taxId !== null && type === 'organisation' && isWholeCnpj(taxId) ? [rootOf(taxId)] : []),
    ...identifiers.map(({ kind, value }) => compared(kind, value)),
  ]),
];

/** Returns whether a listed number is the tax number, or another branch of the same company. */
export const isEqualNumber = ({ kind, value }: ListedIdentifier, taxId: string): boolean =>
  kind !== 'cpf_masked' &&
  (value === taxId || (kind === 'cnpj' && isWholeCnpj(value) && isWholeCnpj(taxId) && rootOf(value) === rootOf(taxId)));

/** A number that subject and entity share. */
interface EqualIdentifier {
  /** The kind by which the subject names the number, or the list if it is the tax number. */
  readonly kind: IdentifierKind;
  readonly country: string | null;
  /** Whether the two numbers are CNPJs of two branches of one company. */
  readonly isBranch: boolean;
  /** The number of the subject and that of the list; absent for a tax number. */
  readonly values?: { readonly subject: string; readonly listed: string };
  /** Whether the number is one of `furtherIdentifiers`. */
  readonly isFurther: boolean;
}

/**
 * Returns whether an equal number identifies the entity. A number of digits that the list has under another kind may be
 * one of any register; a code with letters in fixed places is not equal by chance.
 */
function identifies(
  { kind, value, country }: SubjectIdentifier,
  listed: ListedIdentifier,
  areNamesAlike: boolean,
): boolean {
  if (!RULES[kind].isNational) return areNamesAlike || listed.kind === kind || !/^\d+$/.test(compared(kind, value));
  return country === null || listed.country === null ? areNamesAlike : country === listed.country;
}

/**
 * Returns a number that both have; null if there is none. Numbers that each country issues on its own count alone only
 * if both sides name the same country. If one side does not name it, the names must be alike, too; likewise if a number
 * of digits that one authority issues, such as an IMO number, is on the list under another kind.
 */
export function equalIdentifier(
  { taxId, identifiers }: Subject,
  entity: ListedEntity,
  areNamesAlike: boolean,
): EqualIdentifier | null {
  const numbers = numbersOf(entity);
  const isFurther = (listed: ListedIdentifier): boolean => !entity.identifiers.includes(listed);
  if (taxId !== null) {
    const equal = numbers.filter((identifier) => isEqualNumber(identifier, taxId));
    const listed = equal.find(({ value }) => value === taxId) ?? equal[0];
    if (listed !== undefined)
      return {
        kind: listed.kind,
        country: listed.country,
        isBranch: listed.value !== taxId,
        isFurther: isFurther(listed),
      };
  }
  for (const { kind, value, country } of identifiers) {
    const { listed: kinds } = RULES[kind];
    const equal = numbers.filter(
      (listed) =>
        kinds.includes(listed.kind) &&
        compared(kind, listed.value) === compared(kind, value) &&
        identifies({ kind, value, country }, listed, areNamesAlike),
    );
    const listed = equal.find((one) => one.kind === kind) ?? equal[0];
    if (listed !== undefined)
      return {
        kind: kind === 'other' ? listed.kind : kind,
        country: country ?? listed.country,
        isBranch: false,
        values: { subject: value, listed: listed.value },
        isFurther: isFurther(listed),
      };
  }
  return null;
}

/** Kinds of which a ship or a legal entity has one number for all its life, so that another number contradicts. */
export const LIFELONG = ['imo', 'lei'] as const;

/** A whole number of the kind. Lists have others under its name, such as tax numbers of legal entities. */
const WHOLE = { imo: /^(?:IMO)?\d{7}$/, lei: /^[A-Z0-9]{18}\d{2}$/ } as const;

/**
 * Returns the numbers of a lifelong kind if both sides have one and all differ; null otherwise. Further numbers
 * contradict only for a ship: those of others come from free text, which may name the ship of another.
 */
export function differentNumbers(
  { identifiers }: Subject,
  entity: ListedEntity,
  kind: (typeof LIFELONG)[number],
): { readonly subject: readonly string[]; readonly listed: readonly string[] } | null {
  const valuesIn = (all: readonly { readonly kind: IdentifierKind; readonly value: string }[]): string[] =>
    all.flatMap((one) => (one.kind === kind && WHOLE[kind].test(one.value) ? [compared(kind, one.value)] : []));
  const [subject, listed] = [
    valuesIn(identifiers),
    valuesIn(entity.type === 'vessel' ? numbersOf(entity) : entity.identifiers),
  ];
  return subject.length === 0 || listed.length === 0 || subject.some((value) => listed.includes(value))
    ? null
    : { subject, listed };
}
