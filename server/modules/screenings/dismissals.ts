/**
 * How far a dismissal reaches, and how many people it takes, without input or output. Used wherever a decision is
 * applied. It keeps an easy dismissal of a weak hit from clearing a strong one later.
 */
import { canonicalJson } from '../../base/canonical-json.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { isNamesake, type Judgement } from '../../screening/engine/judgement.ts';
import type { Modifier } from '../../screening/engine/modifiers.ts';
import { type Lines, linesOf } from './bands.ts';
import type { HitDecision } from './decision-store.ts';
import { type HitRecord, macOf, type ScreenedSubject, type ScreeningRecord } from './store.ts';

type Schemas = components['schemas'];

/** The part of a hit that determines which dismissals apply to it. */
export interface Judged {
  readonly category: Schemas['HitCategory'];
  readonly score: number;
  readonly judgement: Pick<Judgement, 'identifier' | 'modifiers'>;
}

/** Score from which two people must dismiss a sanctioned entity. */
const SURE_SCORE = 0.95;

/**
 * Returns whether a dismissal of the hit takes two people: the entity is sanctioned, and its name is nearly the same or
 * its full date of birth is equal.
 */
export function takesTwo({ category, score, judgement }: Judged): boolean {
  return (
    category === 'sanction' &&
    (score >= SURE_SCORE ||
      judgement.modifiers.some(({ field, verdict }) => field === 'date_of_birth' && verdict === 'equal'))
  );
}

/**
 * Returns the score below which a dismissal of the hit applies: the upper bound of its band by the lines of the
 * settings, or the score from which two people decide. Returns null if no line is above the hit.
 */
export function boundOf({ category, score }: Pick<Judged, 'category' | 'score'>, lines: Lines): number | null {
  const { alert, review, strong } = linesOf(category, lines);
  const above = [alert, review, strong, ...(category === 'sanction' ? [SURE_SCORE] : [])].filter(
    (line) => line > score,
  );
  return above.length === 0 ? null : Math.min(...above);
}

/**
 * Returns whether a decision applies to a hit of the same subject and entity. A dismissal applies only to what was
 * judged: to scores below its bound, and by two people if the hit takes two. Called wherever a decision is used, so
 * that an easy dismissal clears no hit that would have needed a harder one.
 */
export function holdsFor(
  { status, holdsBelow, reviewedBy }: Pick<HitDecision, 'status' | 'holdsBelow' | 'reviewedBy'>,
  hit: Judged,
): boolean {
  if (status !== 'false_positive') return true;
  return (holdsBelow === null || hit.score < holdsBelow) && (reviewedBy !== null || !takesTwo(hit));
}

/**
 * Returns the hash of the members of a subject that led to a hit, apart from the tax number. Members that the entity
 * does not have, for example a date of birth, were not compared. Another subject with the same hash is judged in the
 * same way.
 */
export function comparedHash(
  tx: Transaction,
  { type, names, gender, dateOfBirth, yearOfBirth, countries, identifiers }: ScreenedSubject,
  { judgement: { identifier, modifiers } }: Judged,
): Buffer {
  const isCompared = (field: Modifier['field']): boolean => modifiers.some((modifier) => modifier.field === field);
  const birth = isCompared('date_of_birth') ? [dateOfBirth, yearOfBirth] : null;
  return macOf(
    tx,
    'subject',
    `compared ${canonicalJson({
      type,
      names,
      gender,
      birth,
      countries: isCompared('country') ? countries : null,
      ...((identifier?.values !== undefined || isCompared('imo') || isCompared('lei')) && { identifiers }),
    })}`,
  );
}

/**
 * Rejects an allow-list entry for a hit that the settings would not have found, because it is below their line and no
 * namesake: only the threshold of the request has found it.
 */
export function assertFoundBySettings(
  { category, score, judgement }: Pick<HitRecord, 'category' | 'score' | 'judgement'>,
  { settingsLines }: Pick<ScreeningRecord, 'settingsLines'>,
): void {
  const { alert } = linesOf(category, settingsLines);
  if (score >= alert || (category === 'sanction' && isNamesake(judgement))) return;
  throw new Problem('allowlist_below_alert_line', {
    errors: [
      {
        pointer: '/allowlist',
        code: 'below_alert_line',
        message: `must be left out for a score below the alert line of the settings, ${alert}`,
      },
    ],
  });
}
