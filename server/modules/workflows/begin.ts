/** Begins an instance of an active version, whoever or whatever asks for it. */
import { uuidv7 } from '../../base/uuid.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Variables } from '../../workflow/kernel/state.ts';
import { activeDefinition, type Definition } from '../definitions/index.ts';
import { advance, graphOf } from './advance.ts';
import type { Position } from './hierarchy.ts';
import type { When } from './follow.ts';
import { findInstance, insertInstance, type Instance } from './instance-store.ts';

interface Wanted extends Pick<Instance, 'applicationId' | 'businessId' | 'startedBy'> {
  readonly variables: Variables;
  readonly businessKey?: string | undefined;
  /** Start event that a message, signal or time has triggered; else the plain one begins. */
  readonly startEvent?: string;
  /** Execution of another instance that waits for the result. */
  readonly caller?: { readonly instanceId: string; readonly execution: number };
  /** Its position among the instances that one leads to. Whoever passes it has seen that there is room. */
  readonly position?: Position;
}

/**
 * Returns the active version of a process that people and systems can start, or refuses. One that only a message, a
 * signal or a time starts has no start for them.
 */
export async function startableVersion(
  tx: Transaction,
  { environment, key }: Pick<Definition, 'environment' | 'key'>,
): Promise<Definition> {
  const definition = await activeDefinition(tx, { environment, kind: 'workflow', key });
  const start = definition === null ? undefined : (await graphOf(tx, definition.id)).plainStart(key);
  if (definition === null || start === undefined) throw new Problem('workflow_not_active');
  return definition;
}

/** Writes a new instance and computes its first step, or leaves that to a task if the step has expressions. */
export async function beginInstance(
  tx: Transaction,
  { id: definitionId, key, number, environment }: Pick<Definition, 'id' | 'key' | 'number' | 'environment'>,
  { applicationId, businessId, startedBy, variables, businessKey, startEvent, caller, position }: Wanted,
  when: When,
): Promise<Instance> {
  const id = uuidv7();
  insertInstance(tx, {
    id,
    environment,
    definitionId,
    definitionKey: key,
    definitionNumber: number,
    businessKey: businessKey ?? null,
    applicationId,
    businessId,
    parentInstanceId: caller?.instanceId ?? null,
    parentExecution: caller?.execution ?? null,
    rootInstanceId: position?.rootInstanceId ?? null,
    depth: position?.depth ?? 0,
    status: 'active',
    endEvent: null,
    incidentCount: 0,
    state: null,
    variables,
    startedBy,
    startedAt: when.at,
    endedAt: null,
    updatedAt: when.at,
  });
  const fresh = { ...(await findInstance(tx, id))!, isBusy: false };
  const start = {
    do: 'start',
    process: key,
    variables,
    ...(startEvent === undefined ? {} : { startEvent }),
    ...(caller === undefined ? {} : { called: true }),
  } as const;
  return advance(tx, fresh, start, when);
}
