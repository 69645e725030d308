import type { BusinessTime } from '../../base/time.ts';
import { readStatedTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import { assertMatch } from '../../request/preconditions.ts';
import { namedSubject } from '../../rules/subject.ts';
import { assignedTo, auditAssigned, isOpen, notEligible } from './assign.ts';
import { aboutCase } from './audit-cases.ts';
import { dueOf, latestSnooze, woken } from './clock.ts';
import { lookup } from './lookup.ts';
import { conflictsOf, mayWorkOnCases } from './people-store.ts';
import { namedQueue, readCaseRules } from './queues.ts';
import { type CaseRecord, countCases, reviewCase, saveCase } from './store.ts';

type Patch = components['schemas']['CaseUpdate'];
type Change = Partial<CaseRecord>;

/** Merges a patch into a case, and audits what it changes. */
export async function patchCase(ctx: Context<'updateCase'>): Promise<CaseRecord> {
  const {
    tx,
    params: { caseId },
    headers,
    body,
    timeIn,
  } = ctx;
  const before = await lookup(ctx).reviewCase(caseId).forChange();
  assertMatch(headers['if-match'], before.version);
  if (!isOpen(before)) throw new Problem('case_closed');
  const at = timeIn(before.environment);
  const change: Change = {
    ...(body.tags !== undefined && { tags: body.tags }),
    ...checked(ctx, before, at),
    ...(await related(ctx, before)),
    ...(await moved(ctx, before)),
    ...(await assigned(ctx, before)),
  };
  const snoozed = snoozedBy(body, { ...before, ...change }, at);
  const after = await saveCase(tx, before, { ...change, ...snoozed }, at);
  auditPatch(ctx, before, after);
  return after;
}

function checked(
  { body: { checklistDone }, principal }: Context<'updateCase'>,
  { checklist }: CaseRecord,
  at: BusinessTime,
): Change {
  if (checklistDone === undefined) return {};
  const unknown = checklistDone.filter((key) => checklist.every((item) => item.key !== key));
  if (unknown.length > 0)
    throw invalid('/checklistDone', `names ${unknown.join(', ')}, which the checklist of the case does not have`);
  const done = { doneBy: actorOf(principal), doneAt: at.toISOString() };
  return {
    checklist: checklist.map((item) => {
      if (!checklistDone.includes(item.key)) return { ...item, doneBy: null, doneAt: null };
      return item.doneAt === null ? { ...item, ...done } : item;
    }),
  };
}

async function related({ tx, body: { relatedCaseIds } }: Context<'updateCase'>, record: CaseRecord): Promise<Change> {
  if (relatedCaseIds === undefined) return {};
  const ids = relatedCaseIds.map((id) => id.toLowerCase());
  if (ids.includes(record.id)) throw invalid('/relatedCaseIds', 'must not name the case itself');
  if ((await countCases(tx, record.environment, ids)) < ids.length)
    throw invalid('/relatedCaseIds', 'must name cases of the same environment');
  return { relatedCaseIds: ids };
}

/** Another queue sets the due date by its hours, counted from the start of the clock. */
async function moved({ tx, body: { queue } }: Context<'updateCase'>, record: CaseRecord): Promise<Change> {
  if (queue === undefined || queue === record.queue) return {};
  const { key, slaHours } = namedQueue(await readCaseRules(tx), queue);
  return {
    queue: key,
    slaHours,
    ...(record.clockStoppedAt === null && { dueAt: dueOf({ ...record, slaHours }) }),
  };
}

async function assigned({ tx, body: { assigneeId } }: Context<'updateCase'>, record: CaseRecord): Promise<Change> {
  if (assigneeId === undefined || assigneeId === record.assigneeId) return {};
  if (assigneeId === null) return assignedTo(null, record);
  const userId = assigneeId.toLowerCase();
  if (userId === record.assigneeId) return {};
  if (!(await mayWorkOnCases(tx, userId)))
    throw notEligible('must be an active compliance officer or analyst of the tenant');
  if ((await conflictsOf(tx, [record.id], [userId])).size > 0)
    throw notEligible('must be a person who did not decide about the subject of the case');
  return assignedTo(userId as Uuid, record);
}

function snoozedBy({ snoozedUntil }: Patch, record: CaseRecord, at: BusinessTime): Change {
  if (snoozedUntil === undefined) return {};
  if (snoozedUntil === null) return record.status === 'on_hold' ? woken(record) : {};
  const until = readStatedTime(snoozedUntil);
  if (until === null || until <= at) throw invalid('/snoozedUntil', 'must be in the future');
  if (until.getTime() > latestSnooze(record, at))
    throw new Problem('snooze_past_due', {
      errors: [
        {
          pointer: '/snoozedUntil',
          code: 'snooze_past_due',
          message: `must be no later than ${new Date(latestSnooze(record, at)).toISOString()}`,
        },
      ],
    });
  return { status: 'on_hold', snoozedUntil: until.toISOString() };
}

function invalid(pointer: string, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer, code: 'not_possible', message }] });
}

function auditPatch({ audit }: Context<'updateCase'>, before: CaseRecord, after: CaseRecord): void {
  const { snoozedUntil, status } = after;
  const subject = namedSubject(after);
  if (after.assigneeId !== before.assigneeId) auditAssigned(audit, after);
  if (snoozedUntil !== before.snoozedUntil && snoozedUntil !== null)
    audit('case.snoozed', aboutCase(after), { ...subject, snoozedUntil });
  if (before.status === 'on_hold' && status !== 'on_hold')
    audit('case.woken', aboutCase(after), { ...subject, status });
  const others = reviewCase
    .changed(before, after)
    .filter((member) => !['assigneeId', 'snoozedUntil', 'status', 'erasedAt', 'tenantId'].includes(member));
  if (others.length > 0)
    audit(
      'case.updated',
      aboutCase(after),
      Object.fromEntries(others.map((member) => [member, after[member as keyof CaseRecord]])),
    );
}
