/**
 * Subject events: what happened to a subject, an application or a business, and to the members who work on them.
 *
 * Modules want to hear of each other, and cycles between modules are forbidden. So a publisher calls `publish`, and a
 * module that wants to hear of it declares a listener in its descriptor. A publisher does not import its listeners
 * (test/house/subject-events.test.ts); a listener may import the publisher, to read its records.
 * `event.ts` declares the types of events, and `publish.ts` calls the listeners, which `server/start.ts` registers.
 *
 * A listener runs in the transaction of the cause: it writes in it, or queues a task in it. So cause and effect are
 * committed together, and a listener that fails undoes its cause. Locks are taken in the order subject, review, task
 * entry, head of the audit log, and a publisher has locked the subject that it changes. So a listener that must lock
 * another subject, or a record that others lock before a subject, such as a subscription, queues a task.
 *
 * The module may use base, rules, database and contract, and no other module.
 *
 * A hit is dismissed: screenings stores the decision and publishes `hit.decided`; monitoring hears it and resolves the
 * alert about the hit.
 */
import type { Module } from '../../tasks/module.ts';

export type { EventType, SubjectEvent, SubjectListener, When } from './event.ts';
export { publish, registerListeners } from './publish.ts';

export const subjectEventsModule = { name: 'subject-events' } satisfies Module<never>;
