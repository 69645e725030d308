import { Problem } from '../../contract/problem.ts';
import { sql, statement } from '../../database/index.ts';
import { assertEnvironmentWritable } from '../../identity/tenant.ts';
import type { Context } from '../../request/handler.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { holdUntil } from '../../rules/retention.ts';
import { destroyKey } from '../subject-keys/index.ts';
import { normOf, readSettings } from '../tenant-settings/index.ts';
import { lockNewestScreening, type ScreeningRecord } from './store.ts';

type Erasing = Pick<Context<'eraseScreening'>, 'tx' | 'principal' | 'sandboxEnabled' | 'timeIn'>;

interface Erased {
  /** How many screenings of the subject there were. */
  readonly screenings: number;
  readonly erasedAt: string;
}

const count = statement<{ tenantId: string; subjectId: string }, { screenings: number; confirmedAt: string | null }>('screening.erasable', (p) => sql`
  SELECT (SELECT count(*) FROM screening WHERE tenant_id = ${p.tenantId} AND subject_id = ${p.subjectId})::integer AS screenings, (
    SELECT max(d.created_at) FROM screening_hit h JOIN hit_decision d ON d.tenant_id = h.tenant_id AND d.id = h.decision_id
    WHERE h.tenant_id = ${p.tenantId} AND h.subject_id = ${p.subjectId} AND h.status = 'true_positive') AS "confirmedAt"`);

/** Destroys the key of a subject that is on no application, and with it all its screenings, unless a confirmed hit makes them evidence. */
export async function eraseSubject(ctx: Erasing, { subjectId, applicationId, environment }: ScreeningRecord): Promise<Erased> {
  const { tx, principal: { tenantId } } = ctx;
  if (applicationId !== null) throw new Problem('screening_of_application');
  assertEnvironmentWritable(environment, ctx);
  if (await lockNewestScreening(tx, subjectId) === null) throw new Problem('erased');
  const [[found], { retention }] = await Promise.all([tx.run(count, { tenantId, subjectId }), readSettings(tx, tenantId)]);
  const now = ctx.timeIn(environment);
  assertNotHeld(found!.confirmedAt, retention.rejectedYears, now);
  // Subjects, hits and the notes about them are sealed under this key.
  destroyKey(tx, { type: 'screening', id: subjectId }, now);
  return { screenings: found!.screenings, erasedAt: now.toISOString() };
}

/** A confirmed hit is the reason to turn somebody away, and is kept as long as a rejection. */
function assertNotHeld(confirmedAt: string | null, years: number, now: Date): void {
  if (confirmedAt === null) return;
  const until = holdUntil(new Date(confirmedAt), years);
  if (until === null || until >= calendarDate(now)) throw new Problem('retention_hold', { holdUntil: until, legalBasis: normOf('/retention/rejectedYears') });
}
