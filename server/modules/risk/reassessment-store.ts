import type { RealTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  code,
  type InsertOf,
  integer,
  type ParametersOf,
  type RowOf,
  sql,
  statement,
  table,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';

const MOVED = 'the re-assessment goes on or ends';

/** Re-assessments of all subjects of an environment, after another model or list has become active. */
export const reassessment = table(
  'risk_reassessment',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    definitionId: uuid().nullable(),
    position: uuid().nullable().defaulted().changes(MOVED),
    total: integer(),
    done: integer().defaulted().changes(MOVED),
    failed: integer().defaulted().changes(MOVED),
    startedAt: timestamp(),
    completedAt: timestamp().nullable().defaulted().changes(MOVED),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
  },
);

const columns = reassessment.except('tenantId');
export type Reassessment = RowOf<typeof columns>;

type Key = { tenantId: string; id: string };

const insert = statement<InsertOf<typeof reassessment>>('risk.reassess', (p) => reassessment.insert(p));

const lock = statement<Key, Reassessment>(
  'risk.lockReassessment',
  (p) => sql`
  SELECT ${columns} FROM risk_reassessment WHERE ${reassessment.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const findLast = statement<{ tenantId: string; definitionId: string }, Reassessment>(
  'risk.lastReassessment',
  (p) => sql`
  SELECT ${columns} FROM risk_reassessment
    WHERE ${reassessment.equal({ tenantId: p.tenantId, definitionId: p.definitionId })}
    ORDER BY started_at DESC, id DESC LIMIT 1`,
);

type Progress = Pick<Reassessment, 'position' | 'done' | 'failed'> & { completedAt: RealTime | null };

const update = statement<Key & Progress>(
  'risk.moveReassessment',
  (p) => sql`
  UPDATE risk_reassessment SET ${reassessment.assign({
    position: p.position,
    done: p.done,
    failed: p.failed,
    completedAt: p.completedAt,
  })}
  WHERE ${reassessment.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

/** Statuses of applications that are assessed: those under review, and those of customers. */
const ASSESSED = sql`('submitted', 'in_review', 'pending_approval', 'needs_information', 'approved')`;

type Scope = { tenantId: string; environment: Environment };

const among = (p: ParametersOf<Scope>) => sql`
  WHERE tenant_id = ${p.tenantId} AND environment = ${p.environment} AND status IN ${ASSESSED} AND erased_at IS NULL`;

const count = statement<Scope, { total: number }>(
  'risk.countSubjects',
  (p) => sql`
  SELECT (SELECT count(*)::integer FROM application ${among(p)})
    + (SELECT count(*)::integer FROM business ${among(p)}) AS total`,
);

const next = statement<Scope & { position: string | null; count: number }, Subject & { id: Uuid }>(
  'risk.nextSubjects',
  (p) => sql`
  SELECT kind, id FROM (
    SELECT 'application' AS kind, id FROM application ${among(p)} UNION ALL
    SELECT 'business', id FROM business ${among(p)}) subject
  WHERE ${p.position}::uuid IS NULL OR id > ${p.position}::uuid ORDER BY id LIMIT ${p.count}`,
);

export function insertReassessment(tx: Transaction, row: Omit<InsertOf<typeof reassessment>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Finds a re-assessment and locks it until the end of the transaction. */
export async function lockReassessment(tx: Transaction, id: string): Promise<Reassessment | null> {
  return (await tx.run(lock, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Finds the last re-assessment that the activation of a definition started. */
export async function lastReassessment(tx: Transaction, definitionId: string): Promise<Reassessment | null> {
  return (await tx.run(findLast, { tenantId: tx.tenantId!, definitionId }))[0] ?? null;
}

export function moveReassessment(tx: Transaction, id: string, progress: Progress): void {
  void tx.run(update, { tenantId: tx.tenantId!, id, ...progress });
}

/** Counts the subjects that a re-assessment covers. */
export async function countSubjects(tx: Transaction, environment: Environment): Promise<number> {
  return (await tx.run(count, { tenantId: tx.tenantId!, environment }))[0]!.total;
}

/** Lists the next subjects that a re-assessment covers, in the order of their ids. */
export function nextSubjects(
  tx: Transaction,
  environment: Environment,
  position: string | null,
  most: number,
): Promise<(Subject & { readonly id: Uuid })[]> {
  return tx.run(next, {
    tenantId: tx.tenantId!,
    environment,
    position,
    count: most,
  });
}
