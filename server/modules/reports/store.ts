/**
 * Table `report` and its statements. Row-level security shows its rows to transactions of the sealed audit log alone. A
 * list opens the sealed content of each of its rows, of which there are at most a page.
 */
import type { KeyObject } from 'node:crypto';
import type { BusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  boolean,
  businessTimestamp,
  bytes,
  code,
  every,
  type InsertOf,
  integer,
  keyset,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  type UpdateOf,
  uuid,
} from '../../database/index.ts';
import { makeOwnKey, openText, sealText, unwrapped } from '../subject-keys/index.ts';

type Schemas = components['schemas'];
export type ReportKind = Schemas['ReportKindFilter'];
export type ReportStatus = Schemas['ReportStatusFilter'];

const BY_WORK = 'a compliance officer changes, decides or files the report';

export const report = table(
  'report',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    kind: code<ReportKind>(),
    status: code<ReportStatus>().changes(BY_WORK),
    caseId: uuid().nullable(),
    year: integer().nullable(),
    wrappedKey: bytes().impersonal('the key of the report, wrapped by that of the tenant'),
    content: text().sealed().changes(BY_WORK),
    selectedAt: businessTimestamp().nullable(),
    selectionDueAt: businessTimestamp().nullable().changes(BY_WORK),
    analysisDueAt: businessTimestamp().nullable(),
    decidedAt: businessTimestamp().nullable().changes(BY_WORK),
    reportDueAt: businessTimestamp().nullable().changes(BY_WORK),
    dueAt: businessTimestamp().nullable().changes(BY_WORK),
    wasLate: boolean().changes(BY_WORK),
    filedAt: businessTimestamp().nullable().changes(BY_WORK),
    createdAt: businessTimestamp(),
    createdBy: actor(),
    updatedAt: businessTimestamp().changes('each change sets the time and the version'),
    version: integer().defaulted().changes('each change sets the time and the version'),
  },
  {
    owner: 'tenant',
    isSealed: true,
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      kind: 'suspicious_operation',
      status: 'draft',
      caseId: '00000000-0000-4000-8000-00000000000c',
      year: null,
      dueAt: '2026-01-01T00:00:00.000Z' as never,
    },
  },
);

/** What a report says, sealed under its own key. */
export interface ReportContent {
  readonly operationOn: string | null;
  readonly amount: Schemas['Money'] | null;
  readonly legalBasis: readonly string[];
  readonly parties: readonly Schemas['ReportParty'][];
  readonly narrative: string | null;
  readonly decisionNote: string | null;
  readonly protocol: string | null;
  readonly caseCopy: Schemas['ReportCaseCopy'] | null;
}

const columns = report.except('tenantId');
type Row = RowOf<typeof columns>;

/** A report with its content, and the key of its documents. */
export interface ReportRecord extends Omit<Row, 'wrappedKey' | 'content'> {
  readonly content: ReportContent;
  readonly key: KeyObject;
}

type Key = { tenantId: string; id: string };

const insert = statement<InsertOf<typeof report>>(
  'report.insert',
  (p) => sql`${report.insert(p)} ON CONFLICT DO NOTHING`,
);

const find = statement<Key, Row>(
  'report.find',
  (p) => sql`SELECT ${columns} FROM report WHERE ${report.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, Row>(
  'report.lock',
  (p) => sql`SELECT ${columns} FROM report WHERE ${report.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const update = statement<UpdateOf<typeof report> & Key>(
  'report.update',
  (p) => sql`
  UPDATE report SET ${report.assignAll(p)}, version = version + 1
    WHERE ${report.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const anyFiled = statement<
  {
    tenantId: string;
    environment: Environment;
    from: BusinessTime;
    to: BusinessTime;
  },
  { found: boolean }
>(
  'report.anyFiled',
  (p) => sql`
  SELECT EXISTS (SELECT FROM report WHERE ${report.equal({ tenantId: p.tenantId, environment: p.environment })}
    AND status = 'filed' AND kind <> 'non_occurrence' AND filed_at > ${p.from}::timestamptz
    AND filed_at <= ${p.to}::timestamptz) AS found`,
);

function opened(tx: Transaction, { wrappedKey, content, ...row }: Row): ReportRecord {
  const key = unwrapped(tx, { type: 'report', id: row.id }, wrappedKey);
  return { ...row, key, content: JSON.parse(openText(key, `report ${row.id}`, content)) as ReportContent };
}

const sealed = (key: KeyObject, id: string, content: ReportContent): string =>
  sealText(key, `report ${id}`, JSON.stringify(content));

/** Stores a new report under a key of its own, and returns it; null if there is such a report already. */
export async function insertReport(
  tx: Transaction,
  row: Omit<ReportRecord, 'key' | 'updatedAt' | 'version'>,
): Promise<ReportRecord | null> {
  const { content, ...own } = row;
  const { key, wrapped } = makeOwnKey(tx, { type: 'report', id: row.id });
  const updatedAt = row.createdAt;
  const stored = {
    ...own,
    updatedAt,
    tenantId: tx.tenantId!,
    wrappedKey: wrapped,
    content: sealed(key, row.id, content),
  };
  return (await tx.count(insert, stored)) === 1
    ? {
        ...row,
        updatedAt,
        key,
        version: 1,
      }
    : null;
}

export async function findReport(tx: Transaction, id: string): Promise<ReportRecord | null> {
  const [row] = await tx.run(find, { tenantId: tx.tenantId!, id });
  return row === undefined ? null : opened(tx, row);
}

export async function lockReport(tx: Transaction, id: string): Promise<ReportRecord | null> {
  const [row] = await tx.run(lock, { tenantId: tx.tenantId!, id });
  return row === undefined ? null : opened(tx, row);
}

/** Stores the next version of a locked report. */
export async function saveReport(tx: Transaction, after: ReportRecord, at: BusinessTime): Promise<ReportRecord> {
  const { key, content, ...row } = after;
  await tx.run(update, {
    ...row,
    tenantId: tx.tenantId!,
    content: sealed(key, row.id, content),
    updatedAt: at,
  });
  return { ...after, updatedAt: at.toISOString(), version: after.version + 1 };
}

/** Tells whether an operation was reported to the authority after one instant and not after another. */
export async function wasAnyFiled(
  tx: Transaction,
  environment: Environment,
  { from, to }: { readonly from: BusinessTime; readonly to: BusinessTime },
): Promise<boolean> {
  const key = { tenantId: tx.tenantId!, environment };
  return (await tx.run(anyFiled, { ...key, from, to }))[0]?.found === true;
}

interface ReportQuery {
  readonly environment: Environment;
  readonly statuses: readonly string[];
  readonly kinds: readonly string[];
  readonly caseId: string | undefined;
  readonly late: boolean | undefined;
  readonly dueBefore: Date | undefined;
  readonly at: BusinessTime;
  readonly after: readonly (string | number | null)[] | null;
  readonly count: number;
}

/** Lists reports, newest first. */
export async function listReports(tx: Transaction, query: ReportQuery): Promise<ReportRecord[]> {
  const { environment, statuses, kinds, caseId, late, dueBefore, at, after, count } = query;
  const page = keyset(
    {
      key: sql`created_at`,
      type: sql`timestamptz`,
      id: sql`id`,
      direction: 'desc',
    },
    after,
  );
  const conditions = every([
    report.equal({ tenantId: tx.tenantId!, environment }),
    statuses.length > 0 && sql`status = ANY (${statuses})`,
    kinds.length > 0 && sql`kind = ANY (${kinds})`,
    caseId !== undefined && report.equal({ caseId }),
    late !== undefined && sql`(was_late OR coalesce(due_at < ${at}, false)) = ${late}`,
    dueBefore !== undefined && sql`due_at < ${dueBefore}`,
    page.after,
  ]);
  const rows = await tx.query<Row>(
    sql`SELECT ${columns} FROM report WHERE ${conditions} ORDER BY ${page.order} LIMIT ${count}`,
  );
  return rows.map((row) => opened(tx, row));
}
