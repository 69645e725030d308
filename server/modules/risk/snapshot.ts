import type { Transaction } from '../../database/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { Facts } from '../../risk/facts.ts';
import type { RiskInputs } from '../../risk/model.ts';
import {
  type ApplicationRecord,
  conflictsOf,
  newestScreening,
  submittedUnderSameNumber,
} from '../applications/index.ts';
import type { When } from '../subject-events/index.ts';
import type { Assessable } from './assessable.ts';
import { ownFacts } from './catalogue.ts';
import { readCompanyFacts } from './company-facts.ts';
import { findingsAbout } from './facts-store.ts';
import { factsOfPerson } from './person-facts.ts';

/** Facts about a subject and the day of the assessment, as they are stored with it. */
export type Snapshot = Pick<RiskInputs, 'facts' | 'today'>;

const SCALE = 10_000;

/** Returns a score in units of 0.0001, as it is stored. */
export const unitsOf = (score: string): number => Number(score.replace('.', ''));

/** Returns a stored score with four decimals. */
export const decimalOf = (units: number): string => (units / SCALE).toFixed(4);

/** Reads the facts about a subject as they are now. */
export async function snapshotOf(tx: Transaction, assessable: Assessable, { at }: Pick<When, 'at'>): Promise<Snapshot> {
  const today = calendarDate(at);
  const facts =
    assessable.kind === 'application'
      ? await readPersonFacts(tx, assessable.record, today)
      : await readCompanyFacts(tx, assessable.record, today);
  return { facts, today };
}

async function readPersonFacts(tx: Transaction, record: ApplicationRecord, today: string): Promise<Facts> {
  const [screening, findings, others, own] = await Promise.all([
    newestScreening(tx, { tenantId: tx.tenantId!, applicationId: record.id }),
    findingsAbout(tx, record.id),
    submittedUnderSameNumber(tx, record.id),
    ownFacts(tx),
  ]);
  return factsOfPerson({
    record,
    screening,
    findings,
    isConflicting: conflictsOf(record, others).length > 0,
    ownFacts: own,
    today,
  });
}
