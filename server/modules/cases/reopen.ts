import type { Uuid } from '../../base/uuid.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import { namedSubject, subjectNamedBy } from '../../rules/subject.ts';
import { aboutCase } from './audit-cases.ts';
import { dueOf } from './clock.ts';
import { addNote, auditNote } from './notes.ts';
import { queueOrFirst, readCaseRules } from './queues.ts';
import { assertStep, holdCase } from './resolve.ts';
import { reopenResolution } from './resolution-store.ts';
import { type CaseRecord, isSubjectAsked, lockOpenCase, saveCase } from './store.ts';

/** Takes a resolved case back into work, for the officer who reopens it. Its clock starts anew. */
export async function reopenCase(ctx: Context<'reopenCase'>): Promise<CaseRecord> {
  const {
    tx,
    body: { reasonCode, note: text },
    principal,
    timeIn,
  } = ctx;
  const { record } = await holdCase(ctx, ctx.params.caseId, ctx.headers['if-match']);
  assertStep('reopenCase', record.status);
  const { environment, type } = record;
  const subject = subjectNamedBy(record);
  const other = await lockOpenCase(tx, subject, type);
  if (other !== null) throw new Problem('open_case_exists', { existingId: other.id });
  const at = timeIn(environment);
  const [rules, isAsked] = await Promise.all([readCaseRules(tx), isSubjectAsked(tx, subject)]);
  const { key: queue, slaHours } = queueOrFirst(rules, record.queue);
  const clock = { clockStartedAt: at.toISOString(), slaHours, waitedMs: 0 };
  const opened = await saveCase(
    tx,
    record,
    {
      ...clock,
      status: 'in_progress',
      assigneeId: principal.userId as Uuid,
      queue,
      dueAt: isAsked ? null : dueOf(clock),
      clockStoppedAt: isAsked ? at.toISOString() : null,
      slaBreached: false,
      resolvedAt: null,
    },
    at,
  );
  await reopenResolution(tx, record.id);
  const written = await addNote(tx, opened, {
    text,
    documentIds: [],
    by: principal,
    at,
  });
  ctx.audit('case.reopened', aboutCase(opened), { ...namedSubject(opened), reasonCode });
  auditNote(ctx.audit, opened, written.note);
  return written.record;
}
