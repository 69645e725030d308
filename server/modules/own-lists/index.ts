/**
 * A tenant's own list in an environment: people and companies that the tenant knows itself, searched together with the
 * public lists and visible to no other tenant. `change-own-list.ts` reads the file in a thread, in memory only because
 * it is about persons, reports what it changes, and replaces or removes the list; `store.ts` seals the entries of a
 * version under a key of that version and destroys both when the version ends. Screenings search the list and store the
 * entity with the hit, so a hit shows its entry after the list is gone.
 *
 * The module may use subject-keys, tenant-settings, watch-lists (for refusals and what lists have in common), identity,
 * request, tasks and database.
 *
 * `PUT /v1/screenings/lists/own`: the previous version ends and the new one begins in the transaction of the request,
 * which queues a task; the module monitoring re-screens every monitored applicant by the new list.
 */
import type { Module } from '../../tasks/module.ts';

export { readOwnList, removeOwnList, replaceOwnList } from './change-own-list.ts';
export { ownerOf, ownList, ownListVersion, type OwnListVersion, partOf } from './store.ts';

export const ownListsModule = { name: 'own-lists' } satisfies Module<never>;
