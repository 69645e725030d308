/**
 * Simulates that the registry says something else of a business, and that a power has ended. Called by simulations.ts.
 * Refuses live records, businesses that are closed, and powers that are not in force.
 */
import type { RealTime } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { unlessErased } from '../../rules/subject.ts';
import type { Effect } from '../../tasks/due.ts';
import { type Business, lockBusiness } from '../businesses/index.ts';
import {
  addSimulatedChange,
  askAgain,
  latestAnswer,
  type RegistryChange,
  simulatedChanges,
} from '../company-registry/index.ts';
import { raisedAt } from '../monitoring/index.ts';
import { businessOfPower, simulateEnd } from '../powers/index.ts';
import { sandboxTime } from '../sandbox-clock/index.ts';

interface Simulating {
  readonly tx: Transaction;
  readonly visible: readonly Environment[];
  readonly now: RealTime;
}

/** Actor of answers that a simulation has asked for. */
const ACTOR = { type: 'system', id: 'sandbox', display: 'Sandbox' } as const;

/** Limit of simulated changes of a business. */
const MOST_CHANGES = 20;
const CLOSED: readonly Business['status'][] = ['rejected', 'withdrawn', 'expired'];

/** Finds and locks a business of the sandbox. */
async function lockTarget({ tx, visible }: Simulating, id: string): Promise<Business> {
  const business = unlessErased(await lockBusiness(tx, id));
  if (business === null || !visible.includes(business.environment)) throw new Problem('not_found');
  if (business.environment === 'live') throw new Problem('target_is_live');
  return business;
}

/** Changes what the registry says of a business, and asks it, as the next run of its monitoring would. */
export async function changeRegistry(ctx: Simulating, id: string, change: RegistryChange): Promise<Effect[]> {
  const { tx, now } = ctx;
  const business = await lockTarget(ctx, id);
  if (CLOSED.includes(business.status))
    throw refusal('business_closed', 'must be a business that is not rejected, withdrawn or expired');
  if ((await simulatedChanges(tx, id)).length >= MOST_CHANGES)
    throw refusal('too_many_changes', `must be a business with fewer than ${MOST_CHANGES} simulated changes`);
  const at = await sandboxTime(tx, now);
  const before = await latestAnswer(tx, id);
  await addSimulatedChange(tx, id, change, at);
  const { answer } = await askAgain(tx, business, { by: ACTOR, at, now });
  const after = answer ?? before;
  const [said, says] = [before, after].map((one) => one?.situation ?? 'nothing');
  return [
    { resource: { type: 'business', id }, change: `${change}; the registry said ${said}, and says ${says}` },
    ...(answer === null ? [] : [{ resource: { type: 'registry_answer', id: answer.id }, change: 'answered' }]),
    ...(await alertsOf(tx, id, at)),
  ];
}

/** Lets a power end as of yesterday. */
export async function expirePower(ctx: Simulating, id: string): Promise<Effect[]> {
  const { tx, now } = ctx;
  const businessId = await businessOfPower(tx, id);
  if (businessId === null) throw new Problem('not_found');
  const business = await lockTarget(ctx, businessId);
  const at = await sandboxTime(tx, now);
  const effects = await simulateEnd(tx, business, id, { at, now });
  if (effects === null)
    throw refusal('not_in_force', 'must be a confirmed power that is in force today and was yesterday');
  return [...effects, ...(await alertsOf(tx, businessId, at))];
}

async function alertsOf(
  tx: Transaction,
  businessId: string,
  at: Awaited<ReturnType<typeof sandboxTime>>,
): Promise<Effect[]> {
  return (await raisedAt(tx, businessId, at)).map((alert) => ({
    resource: { type: 'monitoring_alert', id: alert.id },
    change: `raised, ${alert.severity}`,
  }));
}

function refusal(code: string, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer: '/target/id', code, message }] });
}
