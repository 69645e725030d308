/**
 * Follows the directory: polls it for every participant and turns its responses into observations of recoveries.
 *
 * The module owns `dict_stream` (how far a participant's notifications and lists have been read), `dict_inbox` (the
 * pages as received, as evidence) and `dict_unread` (recoveries that a list contains and that were not read yet). It
 * may use recoveries, the directory client (providers/directory) and, to know when the next step of a sandbox is due,
 * its simulator. It never writes records or events itself.
 *
 * One round of one participant as an example: `Ingestion` (`ingestion.ts`) takes the participant's advisory lock, so
 * that one process at a time polls it, and calls `followAnnouncements` (`round.ts`). That function reads the
 * notifications page by page (`poll.ts`); reads each recovery that a page names (`observe.ts`), as far as the rate
 * limit allows (`allowance.ts`); commits the observations together with the new position in the stream (`commit.ts`),
 * so that neither is stored without the other; searches the lists for changes that nothing announced (`reconcile.ts`);
 * and publishes the deadlines that have passed. A second lane calls `readDocuments` (`documents.ts`), which reads the
 * recoveries that are due, the most urgent first. After a refusal the directory is not called for a while, and a
 * directory that stays silent raises an alarm (`outage.ts`). `SandboxFollower` starts a round at once after an action
 * in a sandbox.
 */
import type { Module } from '../../tasks/module.ts';

export { IngestionAlarm, observeTokens } from './context.ts';
export { inbox } from './inbox-store.ts';
export { Ingestion } from './ingestion.ts';
export { observe, provenance } from './observe.ts';
export { ConfiguredParticipants } from './participants.ts';
export { SandboxFollower } from './sandbox-follower.ts';
export { stream } from './store.ts';
export { unread } from './unread-store.ts';

export const recoveryIngestionModule = { name: 'recovery-ingestion' } satisfies Module<never>;
