/**
 * The types of work that the service does itself for a process. All other types are for workers of the tenant, except
 * those that begin like a type of the service, which would be a misspelling.
 */

import type { Scope } from '../../contract/operation.ts';

/** Name of the task that does such work. */
export const BINDING = 'workflows.binding';

export const BINDINGS = [
  'business.ownership',
  'business.powers',
  'business.registry',
  'case.open',
  'decision.propose',
  'decision.table',
  'information.request',
  'mail.notify',
  'monitoring.change',
  'risk.assess',
  'screening.run',
  'verification.run',
] as const;

export type Binding = (typeof BINDINGS)[number];

/** Scopes that a key needs besides `write` to start a process with such work. */
const SCOPES: Readonly<Partial<Record<Binding, Scope>>> = {
  'business.ownership': 'kyb',
  'business.powers': 'kyb',
  'business.registry': 'kyb',
  'screening.run': 'screening',
};

/** Returns the scopes that a key needs for work of these types. */
export function scopesFor(types: readonly string[]): Scope[] {
  const needed = types.flatMap((type) => (isBinding(type) ? [SCOPES[type]] : []));
  return [...new Set(needed.filter((scope) => scope !== undefined))].sort();
}

const OF_THE_SERVICE = /^(?:business|case|decision|information|mail|monitoring|risk|screening|verification)\./;

export const isBinding = (type: string): type is Binding => (BINDINGS as readonly string[]).includes(type);

/** Whether a type looks like one of the service, but is none. */
export const isUnknownBinding = (type: string): boolean => OF_THE_SERVICE.test(type) && !isBinding(type);
