import type { BusinessTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { Subject } from '../../rules/subject.ts';
import { subjectMembers } from '../../rules/subject-rows.ts';
import { analysisDue, dueOf, woken } from './clock.ts';
import { newChecklist, queueOrFirst, readCaseRules } from './queues.ts';
import {
  type CaseRecord,
  type CaseType,
  insertCase,
  isSubjectAsked,
  lockOpenCase,
  saveCase,
  takeNumber,
} from './store.ts';

type Schemas = components['schemas'];

/** Actor of cases that no person has opened. */
export const CASES = { type: 'system', id: 'cases', display: 'Cases' } as const;

/** Highest number of links of a case. Further findings join the case without a link. */
const MOST_LINKS = 200;

export interface CaseCause {
  readonly environment: Environment;
  readonly subject: Subject;
  readonly type: CaseType;
  /** Key of the wanted queue; if the settings have no such queue, the first one is taken. */
  readonly queue: string;
  readonly openedReason: CaseRecord['openedReason'];
  readonly link: Pick<Schemas['CaseLink'], 'kind' | 'id' | 'parentId'> | null;
  readonly tags?: readonly string[];
  readonly relatedCaseIds?: readonly string[];
  readonly freezeDueAt?: BusinessTime | null;
  readonly by: Schemas['Actor'];
  readonly at: BusinessTime;
}

/** A case that a finding has opened or joined. */
export interface Joined {
  readonly record: CaseRecord;
  readonly outcome: 'opened' | 'joined' | 'known';
  /** Whether the case was on hold and wakes because of the finding. */
  readonly isWoken: boolean;
}

/**
 * Opens a case, or joins the open case of the same subject and type: there is at most one. A case that is on hold
 * wakes. The caller holds the lock on the subject, and audits what has happened (`audit-cases.ts`).
 */
export async function openOrJoin(tx: Transaction, cause: CaseCause): Promise<Joined> {
  return (await joinOpen(tx, cause)) ?? { record: await openCase(tx, cause), outcome: 'opened', isWoken: false };
}

/** Joins the open case of the subject and the type. Returns null if there is none. */
export async function joinOpen(
  tx: Transaction,
  { subject, type, link, freezeDueAt = null, at }: CaseCause,
): Promise<Joined | null> {
  const open = await lockOpenCase(tx, subject, type);
  if (open === null) return null;
  const isKnown = link === null || open.links.some(({ kind, id }) => kind === link.kind && id === link.id);
  const isOnHold = open.status === 'on_hold';
  if (isKnown && !isOnHold) return { record: open, outcome: 'known', isWoken: false };
  const links = isKnown || open.links.length >= MOST_LINKS ? open.links : [...open.links, linkOf(link, at)];
  const record = await saveCase(
    tx,
    open,
    {
      links,
      ...(isOnHold && woken(open)),
      ...(freezeDueAt !== null && open.freezeDueAt === null && { freezeDueAt: freezeDueAt.toISOString() }),
    },
    at,
  );
  return { record, outcome: isKnown ? 'known' : 'joined', isWoken: isOnHold };
}

/**
 * Opens a case. The counter of the numbers stays locked until the end of the transaction, so a case is opened as late
 * as possible; the head of the audit log is locked after it, just before the commit.
 */
export async function openCase(tx: Transaction, cause: CaseCause): Promise<CaseRecord> {
  const { environment, subject, type, openedReason, by, at } = cause;
  const [rules, isAsked] = await Promise.all([readCaseRules(tx), isSubjectAsked(tx, subject)]);
  const queue = queueOrFirst(rules, cause.queue);
  const now = at.toISOString();
  const clock = { clockStartedAt: now, slaHours: queue.slaHours, waitedMs: 0 };
  const year = Number(calendarDate(at).slice(0, 4));
  const number = await takeNumber(tx, environment, year);
  const row = {
    id: uuidv7(),
    environment,
    number: `C-${year}-${String(number).padStart(6, '0')}`,
    type,
    status: 'open' as const,
    queue: queue.key,
    assigneeId: null,
    ...subjectMembers(subject),
    links: cause.link === null ? [] : [linkOf(cause.link, at)],
    tags: [...(cause.tags ?? [])],
    checklist: newChecklist(rules, type),
    relatedCaseIds: [...(cause.relatedCaseIds ?? [])],
    openedReason,
    ...clock,
    clockStoppedAt: isAsked ? now : null,
    dueAt: isAsked ? null : dueOf(clock),
    slaBreached: false,
    snoozedUntil: null,
    analysisDueAt: type === 'monitoring_alert' ? analysisDue(at).toISOString() : null,
    freezeDueAt: cause.freezeDueAt?.toISOString() ?? null,
    noteCount: 0,
    resolvedAt: null,
    createdAt: now,
    createdBy: by,
    updatedAt: now,
  };
  await insertCase(tx, row);
  return {
    ...row,
    applicationId: row.applicationId as CaseRecord['applicationId'],
    businessId: row.businessId as CaseRecord['businessId'],
    version: 1,
    erasedAt: null,
  };
}

function linkOf(link: NonNullable<CaseCause['link']>, at: BusinessTime): Schemas['CaseLink'] {
  return { ...link, addedAt: at.toISOString() };
}
