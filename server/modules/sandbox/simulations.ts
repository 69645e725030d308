/**
 * Reads and performs simulations: time, documents, lists, registries, powers, recoveries. Called by the handlers under
 * the lock of simulations. Never changes live records (`target_is_live`), and refuses members that the type does not
 * use.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { ValidPart } from '../../request/handler.ts';
import type { Due, Effect } from '../../tasks/due.ts';
import type { RegistryChange } from '../company-registry/index.ts';
import { simulateEvent } from '../recoveries/index.ts';
import { advanceClock, lockSimulations, sandboxTime } from '../sandbox-clock/index.ts';
import type { LoadedLists } from '../screenings/index.ts';
import { changeRegistry, expirePower } from './business-events.ts';
import { type Audit, simulateExpiry } from './document-expiry.ts';
import { updateList } from './list-update.ts';

type Given = components['schemas']['SimulationCreate'];
type TargetType = NonNullable<Given['target']>['type'];

/** Validated request of a simulation, with everything that its type needs and nothing else. */
type SimulationRequest =
  | { readonly type: 'advance_clock'; readonly seconds: number }
  | { readonly type: 'document_expiry'; readonly target: { readonly type: TargetType; readonly id: string } }
  | { readonly type: 'list_update_hit'; readonly applicationId: string; readonly listId: string | undefined }
  | { readonly type: 'registry_change'; readonly businessId: string; readonly change: RegistryChange }
  | { readonly type: 'power_expiry'; readonly powerId: string }
  | {
      readonly type: 'funds_recovery_event';
      readonly fundsRecoveryId: string | null;
      readonly eventType: string | null;
    };

const TARGETS: Readonly<Record<Given['type'], readonly TargetType[]>> = {
  advance_clock: [],
  document_expiry: ['application', 'business', 'document'],
  list_update_hit: ['application'],
  registry_change: ['business'],
  power_expiry: ['power'],
  funds_recovery_event: ['funds_recovery'],
};
const PARAMETERS = {
  advance_clock: 'seconds',
  document_expiry: null,
  list_update_hit: 'listId',
  registry_change: 'registryChange',
  power_expiry: null,
  funds_recovery_event: 'eventType',
} as const;
const NEEDS_TARGET: readonly Given['type'][] = [
  'document_expiry',
  'list_update_hit',
  'registry_change',
  'power_expiry',
];

export function readSimulation(given: Given): SimulationRequest {
  const faults = simulationFaults(given);
  if (faults.length > 0) throw new Problem('validation_failed', { errors: faults });
  const { type, target, parameters: { seconds, listId, eventType = null, registryChange = 'closed' } = {} } = given;
  if (type === 'advance_clock') return { type, seconds: seconds! };
  if (type === 'document_expiry') return { type, target: target! };
  if (type === 'list_update_hit') return { type, applicationId: target!.id, listId };
  if (type === 'registry_change') return { type, businessId: target!.id, change: registryChange };
  if (type === 'power_expiry') return { type, powerId: target!.id };
  return { type, fundsRecoveryId: target?.id ?? null, eventType };
}

/**
 * Returns all faults of a request. A member that the type does not use is a fault, because the caller would expect an
 * effect.
 */
export function simulationFaults({ type, target, parameters = {} }: ValidPart<Given>): FieldError[] {
  if (type === undefined) return [];
  const faults: FieldError[] = [];
  const fault = (pointer: string, code: string, message: string): void => void faults.push({ pointer, code, message });
  if (target?.type !== undefined && !TARGETS[type].includes(target.type)) {
    fault(
      '/target/type',
      'not_allowed',
      TARGETS[type].length === 0 ? `${type} has no target` : `must be one of ${TARGETS[type].join(', ')}`,
    );
  }
  if (target === undefined && NEEDS_TARGET.includes(type)) fault('/target', 'required', 'is required');
  for (const name of Object.keys(parameters)) {
    if (name !== PARAMETERS[type]) fault(`/parameters/${name}`, 'not_allowed', `${type} does not have it`);
  }
  const { seconds } = parameters;
  if (type === 'advance_clock' && seconds === undefined) fault('/parameters/seconds', 'required', 'is required');
  if (type === 'advance_clock' && seconds === 0) fault('/parameters/seconds', 'range', 'must be more than 0');
  return faults;
}

type RecoveryEventRequest = Extract<SimulationRequest, { type: 'funds_recovery_event' }>;

/** Publishes one more event in the sandbox feed, by the sandbox's clock. */
async function publishRecoveryEvent(
  { tx, simulationId, visible, now }: SimulationContext,
  { fundsRecoveryId, eventType }: RecoveryEventRequest,
): Promise<Effect[]> {
  if (fundsRecoveryId !== null && !visible.includes('sandbox')) throw new Problem('not_found');
  const result = await simulateEvent(tx, {
    simulationId,
    fundsRecoveryId,
    eventType,
    at: await sandboxTime(tx, now),
  });
  switch (result.outcome) {
    case 'live':
      throw new Problem(visible.includes('live') ? 'target_is_live' : 'not_found');
    case 'unknown':
      throw new Problem('not_found');
    case 'ended':
      throw new Problem('validation_failed', {
        errors: [
          {
            pointer: '/target/id',
            code: 'ended',
            message: 'the recovery has ended, so that nothing follows; name an eventType to publish it all the same',
          },
        ],
      });
    case 'published':
      return [
        {
          resource: { type: 'funds_recovery', id: result.fundsRecoveryId },
          change: `${result.eventType}, status ${result.status}`,
        },
      ];
  }
}

interface SimulationContext {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly simulationId: string;
  /** Environments whose records the caller sees. */
  readonly visible: readonly Environment[];
  readonly now: RealTime;
  readonly watchLists: LoadedLists;
  readonly dues: readonly Due[];
  readonly audit: Audit;
}

/** Performs a simulation and returns its effects. */
export async function simulate(ctx: SimulationContext, request: SimulationRequest): Promise<Effect[]> {
  await lockSimulations(ctx.tx);
  switch (request.type) {
    case 'advance_clock':
      return advanceClock(ctx, { seconds: request.seconds, pointer: '/parameters/seconds' });
    case 'document_expiry':
      return simulateExpiry(ctx, request.target);
    case 'list_update_hit':
      return updateList(ctx, request.applicationId, request.listId);
    case 'registry_change':
      return changeRegistry(ctx, request.businessId, request.change);
    case 'power_expiry':
      return expirePower(ctx, request.powerId);
    case 'funds_recovery_event':
      return publishRecoveryEvent(ctx, request);
  }
}
