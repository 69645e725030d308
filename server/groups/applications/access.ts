import type { AnyPrincipal, Environment } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { assertWritable } from '../../http/writable.ts';
import type { ApplicationRecord } from './application.ts';
import { findApplication, lockApplication } from './store/applications.ts';

/** What a request's context says about how far its caller reaches. */
export interface Reach {
  readonly tx: Transaction;
  readonly principal: AnyPrincipal;
  readonly visible: readonly Environment[];
  readonly sandboxEnabled: boolean;
  readonly touched: (environment: Environment) => void;
}

/** The application, or 404: also for another tenant's and for one of an environment that the caller does not see. */
export async function read(ctx: Reach, id: string): Promise<ApplicationRecord> {
  return visibleTo(ctx, await findApplication(ctx.tx, { tenantId: ctx.principal.tenantId, id }));
}

/** The same, locked to the end of the transaction, and only if the caller may change it at all. */
export async function readToChange(ctx: Reach, id: string): Promise<ApplicationRecord> {
  const record = visibleTo(ctx, await lockApplication(ctx.tx, { tenantId: ctx.principal.tenantId, id }));
  assertWritable(record.environment, ctx);
  return record;
}

export function visibleTo<R extends { readonly environment: Environment }>({ visible, touched }: Reach, record: R | null): R {
  if (record === null || !visible.includes(record.environment)) throw new Problem('not_found');
  touched(record.environment);
  return record;
}
