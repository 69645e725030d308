/**
 * Everything from which a score is computed, and the computation of the final score. Used by the search and, for stored
 * hits, by the module screenings. The same judgement must always give the same score.
 */
import type { IdentifierKind, ListedEntity, ListedName } from '../listed-entity.ts';
import type { NameOf } from '../names/token.ts';
import type { Alignment } from './alignment.ts';
import { equalIdentifier } from './identifiers.ts';
import { type Modifier, modifiersOf } from './modifiers.ts';
import { literalKey } from './name-index.ts';
import { scoreOf } from './name-score.ts';
import type { Subject } from './subject.ts';
import { capsOfWriting } from './writing.ts';

/** Score of an equal identifier, whatever the names. */
export const EQUAL_IDENTIFIER = 0.97;
/** Score below which the names of an entity with an equal identifier contradict it. */
const ALIKE = 0.5;
/**
 * Scores of a weak name. Alone it is no hit at the default threshold, and scores even less if it is one word or a
 * common one; with supporting data it is a hit.
 */
const WEAK_NAME = { alone: 0.6, telling: 0.75, supported: 0.85 } as const;
/** Total weight of words from which a weak name says more than a nickname: about two words. */
const TELLING = 1.2;
/** Limit of a score if a list with many namesakes needs a name and a fact, and the fact is missing. */
const UNCONFIRMED = 0.49;
const CONFIRMING_NAME = 0.95;

export type RuleOfList = 'weak_name' | 'unconfirmed_namesake';

/**
 * All data that a score is computed from. It is stored with the hit, and `finalScore` computes the same number from it
 * at any time.
 */
export interface Judgement {
  readonly of: NameOf;
  readonly subjectName: string;
  readonly listedName: ListedName;
  /** All words are equal, in any order. No cap and no frequency lowers the score of such a name. */
  readonly isLiteral: boolean;
  readonly alignment: Alignment;
  readonly identifier: {
    readonly kind: IdentifierKind;
    readonly country: string | null;
    readonly nameConflicts: boolean;
    /** Whether the two numbers are CNPJs of two branches of one company. */
    readonly isBranch?: true;
    /** The number of the subject and that of the list; absent for a tax number. */
    readonly values?: { readonly subject: string; readonly listed: string };
    /** Whether it is one of the `furtherIdentifiers` of the entity. */
    readonly isFurther?: true;
  } | null;
  readonly modifiers: readonly Modifier[];
  readonly limits: readonly { readonly rule: RuleOfList; readonly to: number }[];
}

/** A name of the subject compared with a name of the list. */
export type ComparedNames = Pick<Judgement, 'subjectName' | 'listedName' | 'isLiteral' | 'alignment'>;

/** Adds the caps of writing. Names of people with such a cap are not literally equal. */
export function withWriting(names: ComparedNames, of: NameOf): ComparedNames {
  if (of !== 'person') return names;
  const caps = capsOfWriting(names.subjectName, names.listedName.name, names.alignment);
  return caps.length === 0
    ? names
    : { ...names, isLiteral: false, alignment: { ...names.alignment, caps: [...names.alignment.caps, ...caps] } };
}

export function nameScoreOf({ isLiteral, alignment }: Pick<Judgement, 'isLiteral' | 'alignment'>): number {
  return isLiteral ? 1 : scoreOf(alignment);
}

/**
 * Computes the score: the higher of name and identifier, changed by other known data and limited by the rules of the
 * list.
 */
export function finalScore(judgement: Judgement): number {
  const { identifier, modifiers, limits } = judgement;
  const score = Math.max(nameScoreOf(judgement), identifier === null ? 0 : EQUAL_IDENTIFIER);
  // Contradictions of an equal number are shown but lower nothing, because numbers are issued once.
  const changed = modifiers.reduce((sum, { delta }) => sum + (identifier === null ? delta : Math.max(0, delta)), score);
  return limits.reduce((rest, { to }) => Math.min(rest, to), Math.min(1, Math.max(0, changed)));
}

/** Compares scores with a tolerance, because sums of the same numbers in another order differ slightly. */
export const isSameScore = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9;

/**
 * Returns whether both have the same name and only data that the subject states itself contradicts: date of birth,
 * country and gender, which can be mistyped or invented. Therefore an entity on a sanctions list stays a hit despite
 * them. The words must be equal as they are compared, whatever their case, accents, script and order, and the name must
 * have at least two. Weak names and single words are excluded because too many people have them. A different tax or IMO
 * number distinguishes the two, because an authority issues it.
 */
export function isNamesake(
  judgement: Pick<Judgement, 'isLiteral' | 'alignment' | 'listedName' | 'modifiers'>,
): boolean {
  const {
    listedName: { name, quality },
    modifiers,
  } = judgement;
  return (
    quality === 'strong' &&
    isSameScore(nameScoreOf(judgement), 1) &&
    literalKey(name).includes(' ') &&
    !modifiers.some(({ field, delta }) => (field === 'tax_id' || field === 'imo') && delta < 0)
  );
}

export interface ListRules {
  /**
   * Whether a hit needs the name and an equal date or number, unless none can be compared. Set for a list of a country
   * in which many people share each name.
   */
  readonly needsConfirmation: boolean;
  readonly dobToleranceYears: number;
}

function weakNameLimit({ isLiteral, alignment }: ComparedNames, isSupported: boolean): number {
  if (!isLiteral) return WEAK_NAME.alone;
  if (isSupported) return WEAK_NAME.supported;
  const weight = alignment.aligned.reduce((sum, word) => sum + word.weight, 0);
  return weight >= TELLING ? WEAK_NAME.telling : WEAK_NAME.alone;
}

export function judge(subject: Subject, entity: ListedEntity, rules: ListRules, names: ComparedNames): Judgement {
  const modifiers = modifiersOf(subject, entity, rules.dobToleranceYears);
  const base = { of: subject.type, ...withWriting(names, subject.type) };
  const nameScore = nameScoreOf(base);
  const equal = equalIdentifier(subject, entity, nameScore >= ALIKE);
  const supports = (field: Modifier['field']): boolean =>
    modifiers.some((modifier) => modifier.field === field && modifier.delta > 0);
  const limits: { rule: RuleOfList; to: number }[] = [];
  if (equal === null && names.listedName.quality === 'weak') {
    limits.push({ rule: 'weak_name', to: weakNameLimit(base, supports('date_of_birth') || supports('tax_id')) });
  }
  if (equal === null && rules.needsConfirmation) {
    const comparable = modifiers.filter(({ field }) => field === 'date_of_birth' || field === 'tax_id');
    if (
      nameScore < CONFIRMING_NAME ||
      (comparable.length > 0 && !comparable.some(({ delta }) => delta > 0)) ||
      comparable.some(({ field, delta }) => field === 'tax_id' && delta < 0)
    ) {
      limits.push({ rule: 'unconfirmed_namesake', to: UNCONFIRMED });
    }
  }
  return {
    ...base,
    identifier:
      equal === null
        ? null
        : {
            kind: equal.kind,
            country: equal.country,
            nameConflicts: nameScore < ALIKE,
            ...(equal.isBranch && { isBranch: true as const }),
            ...(equal.values !== undefined && { values: equal.values }),
            ...(equal.isFurther && { isFurther: true as const }),
          },
    modifiers,
    limits,
  };
}
