/**
 * What every piece of work of the service knows of the process that needs it, and the refusals that all of them share.
 */
import { appendAudit } from '../../audit/chain.ts';
import type { Secrets } from '../../base/secrets.ts';
import type { AuditAction } from '../../contract/generated/audit-actions.ts';
import type { Acting } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import type { Outbox } from '../../providers/mail/index.ts';
import type { InstalledProviders } from '../../providers/verification/index.ts';
import { asPatch } from '../../request/context.ts';
import type { AuditedResource } from '../../request/handler.ts';
import type { Access } from '../../request/lookup.ts';
import type { BusinessClocks } from '../../rules/brazilian-calendar.ts';
import { unlessErased } from '../../rules/subject.ts';
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
  readonly verificationProviders: InstalledProviders;
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
  const record = unlessErased(await lockApplication(tx, { tenantId: tx.tenantId!, id: applicationIdOf(instance) }));
  if (record === null) throw new Refused('no_application');
  return record;
}

/** Returns the business that the instance is about. */
export function businessIdOf({ businessId }: Instance): string {
  if (businessId === null) throw new Refused('no_business');
  return businessId;
}

/** Returns what the functions of handlers need of a request, in the name of the process and in its environment. */
export function inNameOf({ tx, instance, at, now }: Call): Access &
  BusinessClocks &
  Pick<Call, 'now'> & {
    readonly principal: Acting & { readonly tenantId: string };
  } {
  return {
    tx,
    visible: [instance.environment],
    sandboxEnabled: true,
    setResourceEnvironment: () => undefined,
    principal: { ...actorFor(instance), tenantId: tx.tenantId! },
    now,
    timeIn: () => at,
  };
}

/** Writes what the work did to the audit log, in the name of the process. */
export function auditOf({ tx, instance, now }: Call) {
  const event = {
    occurredAt: now.toISOString(),
    environment: instance.environment,
    actor: { ...actorFor(instance), impersonatorId: null },
    outcome: 'success',
  } as const;
  return <A extends AuditAction>(action: A, resource: AuditedResource<A>, changes: object = {}): void =>
    appendAudit(tx, {
      ...event,
      action,
      resource,
      changes: asPatch(changes),
    });
}
