/**
 * Table `screening_estimate`: what each line finds on a set of lists. Used by line-estimator.ts, which writes it under
 * the platform role, and by estimate.ts, which shows it. Holds counts only, and no name.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  code,
  type InsertOf,
  json,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
} from '../../database/index.ts';
import type { EstimatedCounts } from '../../screening/engine/estimate.ts';

const estimate = table(
  'screening_estimate',
  {
    environment: code<Environment>(),
    // Names the versions of the lists, the algorithm and the way of estimating.
    key: text(),
    algorithmVersion: text(),
    // The lists of the set, in the order of their numbers in the counts.
    lists: json<readonly components['schemas']['ScreenedList'][]>(),
    counts: json<readonly EstimatedCounts[]>(),
    computedAt: timestamp(),
  },
  {
    owner: 'platform',
    insertedBy: 'platform',
    example: {
      key: 'k',
      algorithmVersion: 'm7',
      lists: [],
      counts: [],
    },
  },
);

const whole = estimate.select();
export type EstimateRow = RowOf<typeof whole>;

const find = statement<{ environment: Environment; key: string }, EstimateRow>(
  'screeningEstimate.find',
  (p) => sql`
  SELECT ${whole} FROM screening_estimate WHERE ${estimate.equal({ environment: p.environment })}
    ORDER BY key = ${p.key}::text DESC, computed_at DESC LIMIT 1`,
);

const has = statement<{ environment: Environment; key: string }, { found: number }>(
  'screeningEstimate.has',
  (p) => sql`
  SELECT 1 AS found FROM screening_estimate
    WHERE ${estimate.equal({ environment: p.environment, key: p.key })}`,
);

const insert = statement<InsertOf<typeof estimate>>(
  'screeningEstimate.insert',
  (p) => sql`${estimate.insert(p)} ON CONFLICT (environment, key) DO NOTHING`,
);

const discard = statement<{ environment: Environment; before: RealTime }>(
  'screeningEstimate.discard',
  (p) => sql`
  DELETE FROM screening_estimate
    WHERE ${estimate.equal({ environment: p.environment })} AND computed_at < ${p.before}`,
);

/** Returns the estimate under this key, else the latest one of the environment. */
export async function estimateFor(tx: Transaction, environment: Environment, key: string): Promise<EstimateRow | null> {
  return (await tx.run(find, { environment, key }))[0] ?? null;
}

export async function hasEstimate(tx: Transaction, environment: Environment, key: string): Promise<boolean> {
  return (await tx.run(has, { environment, key })).length > 0;
}

/** Stores an estimate, unless another process was faster, and removes those of before a time. */
export async function storeEstimate(tx: Transaction, row: InsertOf<typeof estimate>, before: RealTime): Promise<void> {
  await tx.run(discard, { environment: row.environment as Environment, before });
  await tx.run(insert, row);
}
