/**
 * Table `monitoring_run`, the ledger of runs, and its statements. Used, through the index, by monitoring. Runs are
 * never deleted one by one, because they prove years later when an applicant was screened or a business compared.
 */
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  code,
  type InsertOf,
  integer,
  type RowOf,
  sql,
  statement,
  table,
  businessTimestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Waiting } from './store.ts';

/** Ledger of runs, all of which are retained as evidence. A run belongs to the subject of its subscription. */
const run = table(
  'monitoring_run',
  {
    tenantId: uuid(),
    id: uuid(),
    subscriptionId: uuid(),
    environment: code<Environment>(),
    at: businessTimestamp(),
    trigger: code<Waiting>(),
    result: code<components['schemas']['RunResult']>(),
    screeningId: uuid().nullable(),
    newAlerts: integer(),
  },
  {
    owner: 'application',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { trigger: 'requested', result: 'clear', newAlerts: 0 },
  },
);

const wire = run.except('tenantId', 'subscriptionId', 'environment');
export type Run = RowOf<typeof wire>;

/** Limit of runs in a response. */
const SHOWN = 20;

const insert = statement<InsertOf<typeof run>>('run.insert', (p) => run.insert(p));

const list = statement<{ tenantId: string; subscriptionId: string }, Run>(
  'run.list',
  (p) => sql`
  SELECT ${wire} FROM monitoring_run WHERE ${run.equal({ tenantId: p.tenantId, subscriptionId: p.subscriptionId })}
    ORDER BY at DESC, id DESC LIMIT ${SHOWN}`,
);

export function addRun(tx: Transaction, row: Omit<InsertOf<typeof run>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Returns the last runs, the newest first. */
export function listRuns(tx: Transaction, subscriptionId: string): Promise<Run[]> {
  return tx.run(list, { tenantId: tx.tenantId!, subscriptionId });
}
