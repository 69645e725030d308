/** Names who acts where a process acts by itself, and writes what it began to the audit log. */
import { appendAudit } from '../../audit/chain.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
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

/** Writes that a process has begun an instance of itself. */
export function appendStarted(tx: Transaction, instance: Instance, { now }: When): void {
  const { id, environment, definitionKey, definitionNumber } = instance;
  appendAudit(tx, {
    occurredAt: now.toISOString(),
    environment,
    actor: { ...actorFor(instance), impersonatorId: null },
    action: 'workflow.started',
    resource: { type: 'workflow_instance', id },
    outcome: 'success',
    changes: [
      { op: 'add', path: '/definitionKey', value: definitionKey },
      { op: 'add', path: '/definitionNumber', value: definitionNumber },
    ],
  });
}
