/** Lets an instance continue by another version of its process: its state, and the rows that name its elements. */
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { migrated, type MigrationFault } from '../../workflow/migration.ts';
import type { State } from '../../workflow/kernel/state.ts';
import { type Definition, findDefinition } from '../definitions/index.ts';
import { advance, graphOf } from './advance.ts';
import { followWaits, type When } from './follow.ts';
import { renameIncident } from './incident-store.ts';
import { findInstance, type Instance, type LockedInstance, setDefinition } from './instance-store.ts';
import { renameJob } from './job-store.ts';
import { deleteAwaited } from './message-store.ts';
import { renameCompletedTasks, renameTask } from './task-store.ts';
import { deleteTimers } from './waiting-store.ts';

export interface Mapping {
  readonly from: string;
  readonly to: string;
}

/** Finds the version by which instances of a key are to continue: one that is or was active. */
export async function versionFor(
  tx: Transaction,
  { environment, definitionKey }: Pick<Instance, 'environment' | 'definitionKey'>,
  definitionId: string,
): Promise<Definition> {
  const found = await findDefinition(tx, definitionId);
  const isSame = found?.kind === 'workflow' && found.environment === environment && found.key === definitionKey;
  if (found === null || !isSame) throw new Problem('not_found');
  if (found.activatedAt === null) throw new Problem('workflow_not_active');
  return found;
}

/** Refuses a change of an instance whose state is still being computed. While it is suspended, its commands rest. */
export function assertComputed({ state, isBusy, status }: LockedInstance): State {
  if (state === null || (isBusy && status !== 'suspended')) throw new Problem('workflow_busy');
  return state;
}

/** Returns the refusal of a change that the process does not allow. */
export const impossible = (errors: readonly FieldError[]): Problem<'workflow_change_impossible'> =>
  new Problem('workflow_change_impossible', { errors: errors.slice(0, 100) });

const fieldErrorOf = ({ elementId, code, message }: MigrationFault): FieldError => ({
  pointer: '/mappings',
  code,
  message: `${elementId}: ${message}`,
});

/** Returns the state by which a locked instance would continue, or refuses with every element that cannot. */
export async function stateIn(
  tx: Transaction,
  instance: LockedInstance,
  target: Definition,
  { mappings, when }: { readonly mappings: readonly Mapping[]; readonly when: When },
): Promise<State> {
  const state = assertComputed(instance);
  const [from, to] = [await graphOf(tx, instance.definitionId), await graphOf(tx, target.id)];
  const ids = new Map(mappings.map((mapping) => [mapping.from, mapping.to]));
  const moved = migrated({ from, to, ids }, { state, variables: instance.variables }, when.at);
  if ('faults' in moved) throw impossible(moved.faults.map(fieldErrorOf));
  return moved.state;
}

interface Move {
  readonly target: Definition;
  readonly state: State;
  readonly mappings: readonly Mapping[];
}

/** Moves a locked instance to a state in another version, with its tasks, work, timers, messages and incidents. */
export async function moveTo(
  tx: Transaction,
  instance: LockedInstance,
  { target, state, mappings }: Move,
  when: When,
): Promise<Instance> {
  const { id: instanceId } = instance;
  const before = instance.state!;
  const ids = before.subscriptions.map(({ id }) => id);
  if (ids.length > 0) {
    deleteTimers(tx, instanceId, ids);
    deleteAwaited(tx, instanceId, ids);
  }
  const graph = await graphOf(tx, target.id);
  await setDefinition(tx, instanceId, { definitionId: target.id, definitionNumber: target.number, state }, when.at);
  followWaits(tx, { ...instance, state: null }, { graph, state });
  renameCompletedTasks(tx, instanceId, mappings, when.at);
  for (const { id: execution, node: elementId, waits, incident } of state.executions) {
    if (waits === 'task') {
      const { name = null, user = {} } = graph.node(elementId);
      const { candidateRoles = [], form = null } = user;
      renameTask(
        tx,
        {
          instanceId,
          execution,
          elementId,
          name,
          candidateRoles,
          form,
        },
        when.at,
      );
    }
    if (waits === 'job') renameJob(tx, { instanceId, execution, elementId }, when.at);
    if (incident !== undefined) renameIncident(tx, { instanceId, execution, elementId }, when.at);
  }
  // Joins and conditions of the other version are judged by an ordinary step.
  const moved = { ...(await findInstance(tx, instanceId))!, isBusy: instance.isBusy };
  return advance(tx, moved, { do: 'set_variables', variables: {} }, when);
}
