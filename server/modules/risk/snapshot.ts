import type { Transaction } from '../../database/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { RiskInputs } from '../../risk/model.ts';
import {
  type ApplicationRecord,
  conflictsOf,
  newestScreening,
  submittedUnderSameNumber,
} from '../applications/index.ts';
import type { When } from '../subject-events/index.ts';
import { ownFacts } from './catalogue.ts';
import { findingsAbout } from './facts-store.ts';
import { factsOfPerson } from './person-facts.ts';

/** Facts about a subject and the day of the assessment, as they are stored with it. */
export type Snapshot = Pick<RiskInputs, 'facts' | 'today'>;

const SCALE = 10_000;

/** Returns a score in units of 0.0001, as it is stored. */
export const unitsOf = (score: string): number => Number(score.replace('.', ''));

/** Returns a stored score with four decimals. */
export const decimalOf = (units: number): string => (units / SCALE).toFixed(4);

/** Reads the facts about an applicant as they are now. */
export async function snapshotOf(
  tx: Transaction,
  record: ApplicationRecord,
  { at }: Pick<When, 'at'>,
): Promise<Snapshot> {
  const today = calendarDate(at);
  const [screening, findings, others, own] = await Promise.all([
    newestScreening(tx, { tenantId: tx.tenantId!, applicationId: record.id }),
    findingsAbout(tx, record.id),
    submittedUnderSameNumber(tx, record.id),
    ownFacts(tx),
  ]);
  const facts = factsOfPerson({
    record,
    screening,
    findings,
    isConflicting: conflictsOf(record, others).length > 0,
    ownFacts: own,
    today,
  });
  return { facts, today };
}
