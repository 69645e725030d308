/**
 * The list that a tenant has of its own in an environment: people and companies that it knows itself, searched beside the public lists and seen by nobody else.
 *
 * `change-own-list.ts` has a thread read the file, in memory alone because it is about persons, tells what it changes, and keeps it in place of the one before, or removes it; `store.ts` seals what is on a version under a key of
 * that version and destroys both when the version ends. Screenings search the list and keep what they found with the hit, so a hit tells its entry when the list is gone. The module may use subject-keys, tenant-settings,
 * watch-lists (for refusals and what lists have in common), identity, request, tasks and database.
 *
 * `PUT /v1/screenings/lists/own`: the version before ends and the new one begins in the transaction of the request, which leaves a task behind; module monitoring screens everybody again by it.
 */
import type { Module } from '../../tasks/module.ts';

export { readOwnList, removeOwnList, replaceOwnList } from './change-own-list.ts';
export { ownerOf, ownList, ownListVersion, type OwnListVersion, partOf } from './store.ts';

export const ownListsModule = { name: 'own-lists' } satisfies Module<never>;
