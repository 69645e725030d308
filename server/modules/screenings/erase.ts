/**
 * Erases a subject that belongs to no application, by destroying its key. Called by the handler. Refused while a
 * confirmed hit must be retained by law (`retention_hold`). Subjects of applications are erased with their application
 * instead.
 */
import { type BusinessTime, type BusinessTimestamp, readBusinessTime } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { holdUntil } from '../../rules/retention.ts';
import { destroyKey } from '../subject-keys/index.ts';
import { normOf, readSettings } from '../tenant-settings/index.ts';
import { heldBy } from './decision-store.ts';
import { lockNewestScreening, type ScreeningRecord } from './store.ts';

type Erasing = Pick<Context<'eraseScreening'>, 'tx' | 'principal' | 'timeIn'>;

interface Erased {
  /** Number of screenings of the subject. */
  readonly screenings: number;
  readonly erasedAt: string;
}

/**
 * Destroys the key of a subject without an application, and so all its screenings, unless a confirmed hit makes them
 * evidence.
 */
export async function eraseSubject(ctx: Erasing, { subjectId, environment }: ScreeningRecord): Promise<Erased> {
  const {
    tx,
    principal: { tenantId },
  } = ctx;
  if ((await lockNewestScreening(tx, subjectId)) === null) throw new Problem('erased');
  const [{ screenings, confirmedAt }, { retention }] = await Promise.all([
    heldBy(tx, subjectId),
    readSettings(tx, tenantId),
  ]);
  const at = ctx.timeIn(environment);
  assertNotHeld(confirmedAt, retention.rejectedYears, at);
  // Subjects, hits and the notes about them are sealed under this key.
  destroyKey(tx, { type: 'screening', id: subjectId }, at);
  return { screenings, erasedAt: at.toISOString() };
}

/**
 * Rejects the erasure if a hit is confirmed, because a confirmed hit is a reason for a rejection and is retained as
 * long as one.
 */
function assertNotHeld(confirmedAt: BusinessTimestamp | null, years: number, at: BusinessTime): void {
  if (confirmedAt === null) return;
  const until = holdUntil(readBusinessTime(confirmedAt), years);
  if (until === null || until >= calendarDate(at))
    throw new Problem('retention_hold', { holdUntil: until, legalBasis: normOf('/retention/rejectedYears') });
}
