/**
 * Creates a draft on behalf of another module, as the handler of `createApplication` does. Used, through the index, by
 * the module of the people of businesses. The caller writes the audit event.
 */
import { addMilliseconds, type BusinessTime, type RealTime } from '../../../base/time.ts';
import type { components } from '../../../contract/generated/types.ts';
import { actorOf, type AnyPrincipal, type Environment } from '../../../contract/operation.ts';
import type { Transaction } from '../../../database/index.ts';
import type { Lookups } from '../../../request/handler.ts';
import type { BlindIndex } from '../../../rules/blind-index.ts';
import { readDecisionPolicy } from '../../tenant-settings/index.ts';
import type { ApplicationRecord } from './application.ts';
import { createApplication } from './create-application.ts';
import { writingDelay } from './list-store.ts';
import type { Quotas } from './quotas.ts';

interface Creator {
  readonly tx: Transaction;
  readonly principal: AnyPrincipal;
  readonly lookups: Lookups;
  readonly environment: Environment;
  readonly now: RealTime;
  readonly timeIn: (environment: Environment) => BusinessTime;
}

/** Creates a draft within the monthly quota of the tenant. */
export async function draftApplication(
  { tx, principal, lookups, environment, now, timeIn }: Creator,
  { index, quotas }: { readonly index: BlindIndex; readonly quotas: Quotas },
  wanted: Omit<components['schemas']['ApplicationCreate'], 'submit'>,
): Promise<ApplicationRecord> {
  const { tenantId } = principal;
  const businessTime = timeIn(environment);
  const [delay, room, policy] = await Promise.all([
    writingDelay(tx, now),
    quotas.monthlyRoom(tx, { tenantId, environment }, businessTime),
    readDecisionPolicy(tx, tenantId),
  ]);
  const opening = {
    principal,
    lookups,
    environment,
    createdBy: actorOf(principal),
    policy,
    now: addMilliseconds(businessTime, delay),
  };
  return createApplication(tx, { index, quotas, room }, opening, wanted);
}
