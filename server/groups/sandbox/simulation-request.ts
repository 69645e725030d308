import type { components } from '../../contract/generated/types.ts';
import type { SoundPart } from '../../contract/handlers.ts';
import { Problem, type FieldError } from '../../http/problem.ts';

type Given = components['schemas']['SimulationCreate'];
type TargetType = NonNullable<Given['target']>['type'];

/** What a request asks for, with everything that its type needs and nothing else. */
export type SimulationRequest =
  | { readonly type: 'advance_clock'; readonly seconds: number }
  | { readonly type: 'document_expiry'; readonly target: { readonly type: TargetType; readonly id: string } }
  | { readonly type: 'funds_recovery_event'; readonly fundsRecoveryId: string | null; readonly eventType: string | null };

const TARGETS: Readonly<Record<Given['type'], readonly TargetType[]>> = {
  advance_clock: [], document_expiry: ['application', 'document'], funds_recovery_event: ['funds_recovery'],
};
const PARAMETERS = { advance_clock: 'seconds', document_expiry: null, funds_recovery_event: 'eventType' } as const;

export function readSimulation(given: Given): SimulationRequest {
  const faults = simulationFaults(given);
  if (faults.length > 0) throw new Problem('validation_failed', { errors: faults });
  const { type, target, parameters: { seconds, eventType = null } = {} } = given;
  if (type === 'advance_clock') return { type, seconds: seconds! };
  if (type === 'document_expiry') return { type, target: target! };
  return { type, fundsRecoveryId: target?.id ?? null, eventType };
}

/** A member that the type has no use for is refused: it would be believed to have an effect. All faults at once. */
export function simulationFaults({ type, target, parameters = {} }: SoundPart<Given>): FieldError[] {
  if (type === undefined) return [];
  const faults: FieldError[] = [];
  const fault = (pointer: string, code: string, message: string): void => void faults.push({ pointer, code, message });
  if (target?.type !== undefined && !TARGETS[type].includes(target.type)) {
    fault('/target/type', 'not_allowed', TARGETS[type].length === 0 ? `${type} has no target` : `must be one of ${TARGETS[type].join(', ')}`);
  }
  if (target === undefined && type === 'document_expiry') fault('/target', 'required', 'is required');
  for (const name of Object.keys(parameters)) {
    if (name !== PARAMETERS[type]) fault(`/parameters/${name}`, 'not_allowed', `${type} does not have it`);
  }
  const { seconds } = parameters;
  if (type === 'advance_clock' && seconds === undefined) fault('/parameters/seconds', 'required', 'is required');
  if (type === 'advance_clock' && seconds === 0) fault('/parameters/seconds', 'range', 'must be more than 0');
  return faults;
}
