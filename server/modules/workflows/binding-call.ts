/**
 * What every piece of work of the service knows of the process that needs it, and the refusals that all of them share.
 */
import type { Json } from '../../base/canonical-json.ts';
import type { Secrets } from '../../base/secrets.ts';
import type { Transaction } from '../../database/index.ts';
import type { Outbox } from '../../providers/mail/index.ts';
import type { Variables } from '../../workflow/kernel/state.ts';
import { type ApplicationRecord, lockApplication } from '../applications/index.ts';
import type { LoadedLists } from '../screenings/index.ts';
import { actorFor } from './actor.ts';
import type { When } from './follow.ts';
import type { Instance } from './instance-store.ts';

/** A refusal that the process learns of as an error with this code. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export interface BindingServices {
  readonly watchLists: LoadedLists;
  readonly secrets: Secrets;
  readonly mail: Outbox;
}

/** The instance, its time, and the variables that the work sees. */
export interface Call extends When {
  readonly tx: Transaction;
  readonly instance: Instance;
  readonly variables: Variables;
  readonly services: BindingServices;
}

/** Returns the application that the instance is about. */
export function applicationIdOf({ applicationId }: Instance): string {
  if (applicationId === null) throw new Refused('no_application');
  return applicationId;
}

/** Locks the application that the instance is about. */
export async function applicationOf({ tx, instance }: Call): Promise<ApplicationRecord> {
  const found = await lockApplication(tx, { tenantId: tx.tenantId!, id: applicationIdOf(instance) });
  if (found === null || found.erasedAt !== null) throw new Refused('no_application');
  const { erasedAt: _, ...record } = found;
  return record;
}

/** Returns what every event of the audit log about the work of a process says. */
export const eventOf = (instance: Instance, occurredAt: string) =>
  ({
    occurredAt,
    environment: instance.environment,
    actor: { ...actorFor(instance), impersonatorId: null },
    outcome: 'success',
  }) as const;

export const added = (members: object): { op: 'add'; path: string; value: Json }[] =>
  Object.entries(members).map(([name, value]) => ({ op: 'add', path: `/${name}`, value: value as Json }));
