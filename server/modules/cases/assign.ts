import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import { assertEnvironmentWritable } from '../../identity/tenant.ts';
import { namedSubject } from '../../rules/subject.ts';
import { aboutCase, type CaseAudit } from './audit-cases.ts';
import { woken } from './clock.ts';
import { takeFirst } from './next-store.ts';
import { type Colleague, colleagues, conflictsOf, inProgressOf, mayWorkOnCases } from './people-store.ts';
import { readCaseRules } from './queues.ts';
import { type CaseRecord, lockCases, saveCase } from './store.ts';

type Result = components['schemas']['CaseAssignmentResult'];

/** Returns the refusal of an assignee. */
export function notEligible(message: string): Problem {
  return new Problem('assignee_not_eligible', {
    errors: [{ pointer: '/assigneeId', code: 'assignee_not_eligible', message }],
  });
}

/** Members of a case after it was given to somebody, or returned to its queue. */
export function assignedTo(
  assigneeId: Uuid | null,
  record: Pick<CaseRecord, 'status'>,
): Pick<CaseRecord, 'assigneeId'> & Partial<CaseRecord> {
  if (record.status === 'on_hold') return { assigneeId, ...woken({ assigneeId }) };
  return { assigneeId, status: assigneeId === null ? 'open' : 'in_progress' };
}

export function isOpen({ status }: Pick<CaseRecord, 'status'>): boolean {
  return status !== 'resolved' && status !== 'pending_approval';
}

export function auditAssigned(audit: CaseAudit<'case.assigned'>, record: CaseRecord): void {
  const { assigneeId, status } = record;
  audit('case.assigned', aboutCase(record), { ...namedSubject(record), assigneeId, status });
}

/** Gives the most urgent case that nobody works on to the caller. Returns null if there is none. */
export async function takeNext(ctx: Context<'takeNextCase'>): Promise<CaseRecord | null> {
  const {
    tx,
    environment,
    body,
    principal: { userId },
    timeIn,
  } = ctx;
  ctx.setResourceEnvironment(environment);
  assertEnvironmentWritable(environment, ctx);
  const rules = await readCaseRules(tx);
  const { maxOpenPerMember } = rules.cases;
  if (maxOpenPerMember !== null && (await inProgressOf(tx, userId, environment)) >= maxOpenPerMember)
    throw new Problem('too_many_open_cases');
  const known = rules.queues.map(({ key }) => key);
  const wanted = body.queues;
  const queues = wanted === undefined ? known : known.filter((key) => wanted.includes(key));
  const found = await takeFirst(tx, { environment, userId }, { queues, isAll: wanted === undefined });
  if (found === null) return null;
  const taken = await saveCase(tx, found, assignedTo(userId as Uuid, found), timeIn(environment));
  auditAssigned(ctx.audit, taken);
  return taken;
}

/** Gives cases to one person, or each to the person with the fewest cases. Returns the results in order. */
export async function assignCases(ctx: Context<'assignCases'>): Promise<Result[]> {
  const {
    tx,
    body: { caseIds, assigneeId = null },
    environment,
    visible,
    now,
  } = ctx;
  ctx.setResourceEnvironment(environment);
  assertEnvironmentWritable(environment, ctx);
  const chosen = assigneeId === null ? null : assigneeId.toLowerCase();
  if (chosen !== null && !(await mayWorkOnCases(tx, chosen)))
    throw notEligible('must be an active compliance officer or analyst of the tenant');
  const ids = caseIds.map((id) => id.toLowerCase());
  const locked = await lockCases(tx, ids);
  const byId = new Map<string, CaseRecord>(
    locked
      .filter((record) => record.environment === environment && visible.includes(environment))
      .map((r) => [r.id, r]),
  );
  const people = chosen === null ? await colleagues(tx, environment, now) : [];
  const candidates = chosen === null ? people.filter(({ isPresent }) => isPresent) : [{ userId: chosen, load: 0 }];
  const conflicts = await conflictsOf(
    tx,
    [...byId.keys()],
    candidates.map(({ userId }) => userId),
  );
  const loads = new Map(candidates.map(({ userId, load }) => [userId, load]));
  const results: Result[] = [];
  for (const id of ids)
    results.push(
      await assignOne(ctx, {
        id,
        record: byId.get(id),
        conflicts,
        loads,
        isChosen: chosen !== null,
      }),
    );
  return results;
}

interface OneCase {
  readonly id: string;
  readonly record: CaseRecord | undefined;
  readonly conflicts: ReadonlySet<string>;
  /** Numbers of open cases of the people who may be given a case, which grow with each assignment. */
  readonly loads: Map<Colleague['userId'], number>;
  readonly isChosen: boolean;
}

async function assignOne(
  { tx, audit, timeIn }: Context<'assignCases'>,
  { id, record, conflicts, loads, isChosen }: OneCase,
): Promise<Result> {
  const caseId = id as Uuid;
  if (record === undefined) return { caseId, result: 'not_found', assigneeId: null };
  if (!isOpen(record)) return { caseId, result: 'not_open', assigneeId: record.assigneeId };
  // Without a named person, a case that somebody works on stays with them.
  if (!isChosen && record.assigneeId !== null) return { caseId, result: 'unchanged', assigneeId: record.assigneeId };
  const [first] = [...loads]
    .filter(([userId]) => !conflicts.has(`${id} ${userId}`))
    .sort(([one, a], [other, b]) => a - b || (one < other ? -1 : 1));
  if (first === undefined) return { caseId, result: 'not_eligible', assigneeId: record.assigneeId };
  const assigneeId = first[0] as Uuid;
  if (record.assigneeId === assigneeId) return { caseId, result: 'unchanged', assigneeId };
  loads.set(assigneeId, first[1] + 1);
  const after = await saveCase(tx, record, assignedTo(assigneeId, record), timeIn(record.environment));
  auditAssigned(audit, after);
  return { caseId, result: 'assigned', assigneeId };
}
