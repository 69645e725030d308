import type { AnyPrincipal, Environment } from '../../../contract/principal.ts';
import type { Transaction } from '../../../database/index.ts';
import { Problem } from '../../../http/problem.ts';
import { findRecords, type RecordRow } from './store.ts';

/** What a request's context says about how far its caller reaches. */
export interface Reach {
  readonly tx: Transaction;
  readonly principal: AnyPrincipal;
  readonly params: { readonly fundsRecoveryId: string };
  readonly environment: Environment;
  readonly visible: readonly Environment[];
  readonly touched: (environment: Environment) => void;
}

/**
 * The recovery, or 404: also for another tenant's and for one of an environment that the caller does not see. The
 * directories of both environments could know the same id: then the one of the effective environment is meant.
 */
export async function visibleRecovery({ tx, principal: { tenantId }, params, environment, visible, touched }: Reach): Promise<RecordRow> {
  const records = (await tx.run(findRecords, { tenantId, id: params.fundsRecoveryId })).filter(({ env }) => visible.includes(env));
  const record = records.find(({ env }) => env === environment) ?? records[0];
  if (record === undefined) throw new Problem('not_found');
  touched(record.env);
  return record;
}
