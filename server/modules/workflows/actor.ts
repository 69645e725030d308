/** Names who acts where a process acts by itself, and writes what it began to the audit log. */
import { appendAudit } from '../../audit/chain.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import type { NoPosition } from './hierarchy.ts';
import type { When } from './follow.ts';
import type { Instance } from './instance-store.ts';

/** Returns the actor of what a version of a process does, with an id that has the longest length of ids at most. */
export function actorFor({
  definitionKey,
  definitionNumber,
}: Pick<Instance, 'definitionKey' | 'definitionNumber'>): components['schemas']['Actor'] {
  const version = `@${definitionNumber}`;
  const id = `workflow:${definitionKey}`.slice(0, 64 - version.length) + version;
  return { type: 'system', id, display: `Workflow ${definitionKey}`.slice(0, 120) };
}

type About = Pick<Instance, 'id' | 'environment' | 'definitionKey' | 'definitionNumber'>;

/** Returns the members of every event about what an instance did by itself. */
const eventOf = (instance: About, { now }: When) => ({
  occurredAt: now.toISOString(),
  environment: instance.environment,
  actor: { ...actorFor(instance), impersonatorId: null },
  resource: { type: 'workflow_instance', id: instance.id } as const,
});

/** Writes that a process has begun an instance of itself. */
export function appendStarted(tx: Transaction, instance: About, when: When): void {
  const { definitionKey, definitionNumber } = instance;
  appendAudit(tx, {
    ...eventOf(instance, when),
    action: 'workflow.started',
    outcome: 'success',
    changes: [
      { op: 'add', path: '/definitionKey', value: definitionKey },
      { op: 'add', path: '/definitionNumber', value: definitionNumber },
    ],
  });
}

/** Writes that what an instance has sent began nothing, because what it leads to is bounded. */
export function appendNotBegun(tx: Transaction, sender: About, { code }: NoPosition, when: When): void {
  appendAudit(tx, {
    ...eventOf(sender, when),
    action: 'workflow.start_refused',
    outcome: 'failed',
    reason: code,
  });
}
