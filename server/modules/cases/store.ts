import { type BusinessTime, nextChangeTime, readStatedTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  bigint,
  boolean,
  businessTimestamp,
  code,
  codes,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  type Transaction,
  type UpdateOf,
  uuid,
} from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';

type Schemas = components['schemas'];
export type CaseType = Schemas['CaseTypeFilter'];
export type CaseStatus = Schemas['CaseStatusFilter'];

const BY_WORK = 'a person or the service works on the case';
const BY_CLOCK = 'the clock of the queue stops, goes on or runs out';

export const reviewCase = table(
  'review_case',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    number: code(),
    type: code<CaseType>(),
    status: code<CaseStatus>().erasedTo('resolved').changes(BY_WORK),
    queue: code().changes('a person moves the case to another queue'),
    assigneeId: uuid().nullable().changes(BY_WORK),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    links: json<Schemas['CaseLink'][]>().impersonal('ids of alerts, hits and other records').changes(BY_WORK),
    tags: codes().erasedTo([]).changes(BY_WORK),
    checklist: json<Schemas['CaseChecklistItem'][]>()
      .impersonal('items of the settings, and which members have done them')
      .changes(BY_WORK),
    relatedCaseIds: codes().changes(BY_WORK),
    openedReason: code<Schemas['ReviewCase']['openedReason']>(),
    clockStartedAt: businessTimestamp().unaudited().changes('a case is reopened'),
    slaHours: integer().unaudited().changes('a person moves the case to another queue'),
    waitedMs: bigint().unaudited().changes(BY_CLOCK),
    clockStoppedAt: businessTimestamp().nullable().changes(BY_CLOCK),
    dueAt: businessTimestamp().nullable().changes(BY_CLOCK),
    slaBreached: boolean().changes(BY_CLOCK),
    snoozedUntil: businessTimestamp().nullable().erasedTo(null).changes(BY_WORK),
    analysisDueAt: businessTimestamp().nullable(),
    freezeDueAt: businessTimestamp().nullable().changes('a hit on the list of the United Nations is confirmed'),
    noteCount: integer().unaudited().changes('a person writes a note'),
    resolvedAt: businessTimestamp().nullable().unaudited().changes(BY_WORK),
    createdAt: businessTimestamp(),
    createdBy: actor(),
    updatedAt: businessTimestamp().unaudited().changes('each change sets the time and the version'),
    version: integer().unaudited().defaulted().changes('each change sets the time and the version'),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the subject of the case is erased'),
  },
  {
    owner: 'applicationOrBusiness',
    timeline: {
      'case.opened': null,
      'case.joined': null,
      'case.resolution_proposed': null,
      'case.resolution_returned': null,
      'case.resolution_invalidated': null,
      'case.resolved': null,
      'case.reopened': null,
    },
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: {
      type: 'ad_hoc',
      status: 'open',
      links: [],
      tags: [],
      checklist: [],
      relatedCaseIds: [],
      openedReason: 'manual',
      dueAt: readStatedTime('2026-11-26T00:00:00.000Z'),
      clockStoppedAt: null,
      snoozedUntil: null,
      slaHours: 72,
    },
  },
);

/** Counter of the numbers of cases in a year. */
const caseNumber = table(
  'case_number',
  {
    tenantId: uuid(),
    environment: code<Environment>(),
    year: integer(),
    last: integer().changes('another case is opened'),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: { year: 2026, last: 1 },
  },
);

export const caseColumns = reviewCase.except('tenantId');
export type CaseRecord = RowOf<typeof caseColumns>;

type Key = { tenantId: string; id: string };

const insert = statement<InsertOf<typeof reviewCase>>('case.insert', (p) => reviewCase.insert(p));

const find = statement<Key, CaseRecord>(
  'case.find',
  (p) => sql`SELECT ${caseColumns} FROM review_case WHERE ${reviewCase.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, CaseRecord>(
  'case.lock',
  (p) => sql`
  SELECT ${caseColumns} FROM review_case WHERE ${reviewCase.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const lockMany = statement<{ tenantId: string; ids: readonly string[] }, CaseRecord>(
  'case.lockMany',
  (p) => sql`
  SELECT ${caseColumns} FROM review_case WHERE ${reviewCase.equal({ tenantId: p.tenantId, erasedAt: null })}
    AND id = ANY (${p.ids}::uuid[]) ORDER BY id FOR UPDATE`,
);

const lockOpen = bySubject((member, kind) =>
  statement<OfSubject & { type: CaseType }, CaseRecord>(
    `case.lockOpen.${kind}`,
    (p) => sql`
  SELECT ${caseColumns} FROM review_case
    WHERE ${reviewCase.equal({ tenantId: p.tenantId, [member]: p.subjectId, type: p.type })}
    AND status <> 'resolved' FOR UPDATE`,
  ),
);

const update = statement<UpdateOf<typeof reviewCase> & Key>(
  'case.update',
  (p) => sql`
  UPDATE review_case SET ${reviewCase.assignAll(p)}, version = version + 1
  WHERE ${reviewCase.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const nextNumber = statement<{ tenantId: string; environment: Environment; year: number }, { last: number }>(
  'case.nextNumber',
  (p) => sql`
  ${caseNumber.insert({
    tenantId: p.tenantId,
    environment: p.environment,
    year: p.year,
    last: 1,
  })}
  ON CONFLICT (tenant_id, environment, year) DO UPDATE SET last = case_number.last + 1 RETURNING last`,
);

const countExisting = statement<{ tenantId: string; environment: Environment; ids: readonly string[] }, { n: number }>(
  'case.countExisting',
  (p) => sql`
  SELECT count(*)::integer AS n FROM review_case
    WHERE ${reviewCase.equal({ tenantId: p.tenantId, environment: p.environment })} AND id = ANY (${p.ids}::uuid[])`,
);

const ASKED = {
  application: statement<OfSubject, { asked: boolean }>(
    'case.isApplicantAsked',
    (p) => sql`
  SELECT status = 'needs_information' AS asked FROM application
    WHERE tenant_id = ${p.tenantId} AND id = ${p.subjectId}`,
  ),
  business: statement<OfSubject, { asked: boolean }>(
    'case.isBusinessAsked',
    (p) => sql`
  SELECT status = 'needs_information' AS asked FROM business
    WHERE tenant_id = ${p.tenantId} AND id = ${p.subjectId}`,
  ),
};

export function insertCase(tx: Transaction, row: Omit<InsertOf<typeof reviewCase>, 'tenantId'>): Promise<unknown> {
  return tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

export async function findCase(tx: Transaction, id: string): Promise<CaseRecord | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Locks a case until the end of the transaction. Whoever also needs its subject has locked that before. */
export async function lockCase(tx: Transaction, id: string): Promise<CaseRecord | null> {
  return (await tx.run(lock, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Locks cases in the order of their ids, so that two callers never wait for each other. */
export function lockCases(tx: Transaction, ids: readonly string[]): Promise<CaseRecord[]> {
  return tx.run(lockMany, { tenantId: tx.tenantId!, ids });
}

/** Locks the open case of a subject and a type. The caller holds the lock on the subject. */
export async function lockOpenCase(tx: Transaction, subject: Subject, type: CaseType): Promise<CaseRecord | null> {
  return (await tx.run(lockOpen(subject), { ...keyOf(tx, subject), type }))[0] ?? null;
}

/** Stores a changed case as its next version, and returns that. The case is locked. */
export async function saveCase(
  tx: Transaction,
  before: CaseRecord,
  change: Partial<CaseRecord>,
  at: BusinessTime,
): Promise<CaseRecord> {
  const after = {
    ...before,
    ...change,
    updatedAt: laterThan(before, at),
    version: before.version + 1,
  };
  await tx.run(update, { ...after, tenantId: tx.tenantId! });
  return after;
}

/** Keeps `updatedAt` strictly increasing even if the clock goes back. */
function laterThan({ updatedAt }: CaseRecord, at: BusinessTime): CaseRecord['updatedAt'] {
  return nextChangeTime(at, updatedAt);
}

/** Returns the next number of an environment in a year. The counter stays locked until the end of the transaction. */
export async function takeNumber(tx: Transaction, environment: Environment, year: number): Promise<number> {
  return (await tx.run(nextNumber, { tenantId: tx.tenantId!, environment, year }))[0]!.last;
}

/** Counts which of these cases exist in an environment. */
export async function countCases(tx: Transaction, environment: Environment, ids: readonly string[]): Promise<number> {
  return ids.length === 0 ? 0 : (await tx.run(countExisting, { tenantId: tx.tenantId!, environment, ids }))[0]!.n;
}

/** Returns whether a subject is asked for information, which stops the clocks of its cases. */
export async function isSubjectAsked(tx: Transaction, subject: Subject): Promise<boolean> {
  return (await tx.run(ASKED[subject.kind], keyOf(tx, subject)))[0]?.asked === true;
}
