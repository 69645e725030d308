/**
 * Reads the variables that `make quick` sets for a test run. No other file reads them: `make test` refuses them, and so
 * does this file in CI, so that neither can pass with only some of the tests.
 */
import { join } from 'node:path';
import { operations } from '../../server/contract/generated/operations.ts';
import type { OperationId } from '../../server/contract/operation.ts';

/** Limits every table over the operations to these operations, separated by commas. */
export const OPERATIONS_VARIABLE = 'QUICK_OPERATIONS';
/** Caches the data directory of the test PostgreSQL in this folder for the next run. */
export const CLUSTER_VARIABLE = 'QUICK_CLUSTER';
export const QUICK_VARIABLES = [OPERATIONS_VARIABLE, CLUSTER_VARIABLE] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the operations that the tables are limited to; null for all of them. */
export function chosenOperations(env: Environment = process.env): ReadonlySet<OperationId> | null {
  const value = read(env, OPERATIONS_VARIABLE);
  if (value === null) return null;
  const ids = value.split(',').filter((id) => id !== '');
  const unknown = ids.find((id) => !(id in operations));
  if (unknown !== undefined)
    throw new Error(`${OPERATIONS_VARIABLE} names ${unknown}, which openapi.yaml does not have.`);
  return new Set(ids as OperationId[]);
}

/** Returns the folder of the cached test PostgreSQL; null for a temporary one. */
export function cachedCluster(env: Environment = process.env): string | null {
  const folder = read(env, CLUSTER_VARIABLE);
  return folder === null ? null : join(folder, 'cluster');
}

/** Returns the names of the variables that are set, for a caller that must refuse them. */
export function quickVariablesOf(env: Environment): readonly string[] {
  return QUICK_VARIABLES.filter((name) => env[name] !== undefined);
}

function read(env: Environment, name: (typeof QUICK_VARIABLES)[number]): string | null {
  const value = env[name];
  if (value === undefined) return null;
  if (env['CI'] !== undefined && env['CI'] !== 'false')
    throw new Error(`${name} is set, but CI runs every test in full: unset it.`);
  return value;
}
