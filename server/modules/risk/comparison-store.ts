import type { RealTime } from '../../base/time.ts';
import type { BusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
  type InsertOf,
  integer,
  json,
  newestFirst,
  type RowOf,
  sql,
  statement,
  table,
  timestamp,
  type Transaction,
  type UpdateOf,
  uuid,
} from '../../database/index.ts';
import type { SubjectType } from '../../risk/facts.ts';
import type { ListVersion } from './assessment-store.ts';

type Schemas = components['schemas'];

const MOVED = 'the comparison starts, goes on or ends';

/** Comparisons of a model with a baseline: backtests, and shadow runs of drafts. */
export const comparison = table(
  'risk_comparison',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    kind: code<'backtest' | 'shadow'>(),
    subjectType: code<SubjectType>(),
    modelId: uuid(),
    modelNumber: integer(),
    modelChecksum: code(),
    baselineId: uuid(),
    baselineNumber: integer(),
    baselineChecksum: code(),
    lists: json<readonly ListVersion[]>().impersonal('versions of reference lists'),
    population: json<Schemas['RiskBacktestPopulation']>().nullable().impersonal('a selection of applications'),
    status: code<'queued' | 'running' | 'completed' | 'failed' | 'cancelled'>().changes(MOVED),
    taskId: uuid().nullable(),
    total: integer().defaulted().changes(MOVED),
    done: integer().defaulted().changes(MOVED),
    results: json<Schemas['RiskBacktestResults']>()
      .nullable()
      .impersonal('counts of subjects')
      .defaulted()
      .changes(MOVED),
    endsAt: businessTimestamp().nullable(),
    createdBy: actor(),
    createdAt: timestamp(),
    startedAt: timestamp().nullable().changes(MOVED),
    completedAt: timestamp().nullable().defaulted().changes(MOVED),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      kind: 'backtest',
      subjectType: 'individual',
      status: 'completed',
      modelChecksum: '0'.repeat(64),
      baselineChecksum: '0'.repeat(64),
      lists: [],
      endsAt: null,
    },
  },
);

const columns = comparison.except('tenantId');
export type Comparison = RowOf<typeof columns>;

type Key = { tenantId: string; id: string };

const insert = statement<InsertOf<typeof comparison>>('risk.compare', (p) => comparison.insert(p));

const find = statement<Key, Comparison>(
  'risk.comparison',
  (p) => sql`SELECT ${columns} FROM risk_comparison WHERE ${comparison.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const lock = statement<Key, Comparison>(
  'risk.lockComparison',
  (p) => sql`
  SELECT ${columns} FROM risk_comparison WHERE ${comparison.equal({ tenantId: p.tenantId, id: p.id })} FOR UPDATE`,
);

const findRunning = statement<{ tenantId: string }, { id: string }>(
  'risk.runningBacktest',
  (p) => sql`
  SELECT id FROM risk_comparison WHERE ${comparison.equal({ tenantId: p.tenantId, kind: 'backtest' })}
    AND status IN ('queued', 'running')`,
);

const findShadow = statement<{ tenantId: string; environment: Environment; subjectType: SubjectType }, Comparison>(
  'risk.runningShadow',
  (p) => sql`
  SELECT ${columns} FROM risk_comparison WHERE ${comparison.equal({
    tenantId: p.tenantId,
    environment: p.environment,
    subjectType: p.subjectType,
    kind: 'shadow',
    status: 'running',
  })}`,
);

const findDue = statement<
  {
    tenantId: string;
    environment: Environment;
    at: BusinessTime;
    count: number;
  },
  { id: string }
>(
  'risk.dueShadows',
  (p) => sql`
  SELECT id FROM risk_comparison WHERE ${comparison.equal({
    tenantId: p.tenantId,
    environment: p.environment,
    kind: 'shadow',
    status: 'running',
  })} AND ends_at <= ${p.at} ORDER BY ends_at, id LIMIT ${p.count}`,
);

type Progress = Pick<UpdateOf<typeof comparison>, 'status' | 'startedAt'> &
  Pick<Comparison, 'total' | 'done' | 'results'> & { completedAt: RealTime | string | null };

const update = statement<Key & Progress>(
  'risk.progress',
  (p) => sql`
  UPDATE risk_comparison SET ${comparison.assign({
    status: p.status,
    total: p.total,
    done: p.done,
    results: p.results,
    startedAt: p.startedAt,
    completedAt: p.completedAt,
  })}
  WHERE ${comparison.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const advance = statement<Key & { done: number }>(
  'risk.advance',
  (p) => sql`
  UPDATE risk_comparison SET ${comparison.assign({ done: p.done })}
    WHERE ${comparison.equal({ tenantId: p.tenantId, id: p.id, status: 'running' })}`,
);

export function insertComparison(tx: Transaction, row: Omit<InsertOf<typeof comparison>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

export async function findComparison(tx: Transaction, id: string): Promise<Comparison | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Finds a comparison and locks it until the end of the transaction. */
export async function lockComparison(tx: Transaction, id: string): Promise<Comparison | null> {
  return (await tx.run(lock, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Returns whether a backtest of the tenant is queued or running. */
export async function isBacktestRunning(tx: Transaction): Promise<boolean> {
  return (await tx.run(findRunning, { tenantId: tx.tenantId! })).length > 0;
}

/** Finds the draft that runs as a shadow. */
export async function runningShadow(
  tx: Transaction,
  environment: Environment,
  subjectType: SubjectType,
): Promise<Comparison | null> {
  return (await tx.run(findShadow, { tenantId: tx.tenantId!, environment, subjectType }))[0] ?? null;
}

/** Lists shadow runs whose time is over. */
export async function dueShadows(
  tx: Transaction,
  environment: Environment,
  at: BusinessTime,
  count: number,
): Promise<string[]> {
  const rows = await tx.run(findDue, {
    tenantId: tx.tenantId!,
    environment,
    at,
    count,
  });
  return rows.map(({ id }) => id);
}

/** Changes the progress of a comparison. Members that are left out stay. */
export function moveComparison(tx: Transaction, before: Comparison, change: Partial<Progress>): void {
  const { id, status, total, done, results, startedAt, completedAt } = before;
  void tx.run(update, {
    tenantId: tx.tenantId!,
    id,
    status,
    total,
    done,
    results,
    startedAt,
    completedAt,
    ...change,
  });
}

/** Records how many subjects a running backtest has scored. */
export function advanceComparison(tx: Transaction, id: string, done: number): void {
  void tx.run(advance, { tenantId: tx.tenantId!, id, done });
}

/** Lists the comparisons of a model. */
export const comparisonsOf = newestFirst(comparison, columns, { of: 'modelId', by: 'createdAt' });
