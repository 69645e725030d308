/**
 * The types of work that the service does itself for a process. All other types are for workers of the tenant, except
 * those that begin like a type of the service, which would be a misspelling.
 */

/** Name of the task that does such work. */
export const BINDING = 'workflows.binding';

export const BINDINGS = [
  'case.open',
  'decision.propose',
  'decision.table',
  'information.request',
  'mail.notify',
  'monitoring.change',
  'risk.assess',
  'screening.run',
] as const;

export type Binding = (typeof BINDINGS)[number];

const OF_THE_SERVICE = /^(?:business|case|decision|information|mail|monitoring|risk|screening|verification)\./;

export const isBinding = (type: string): type is Binding => (BINDINGS as readonly string[]).includes(type);

/** Whether a type looks like one of the service, but is none. */
export const isUnknownBinding = (type: string): boolean => OF_THE_SERVICE.test(type) && !isBinding(type);
