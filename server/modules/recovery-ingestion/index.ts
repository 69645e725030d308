/**
 * Follows the directory: polls it for every participant and turns what it shows into observations of recoveries.
 *
 * The module owns `dict_stream` (how far a participant's notifications and lists have been read), `dict_inbox` (the
 * pages as they were received, as evidence) and `dict_unread` (recoveries that a list names and that were not read yet).
 * It may use recoveries, the directory client (providers/directory) and, to know when the next step of a sandbox is due, its
 * simulator. It never writes records or events itself.
 *
 * One round of one participant as an example: `Ingestion` (`ingestion.ts`) takes the participant's advisory lock, so that one
 * process at a time polls it, and calls `followAnnouncements` (`round.ts`). That reads the notifications page by page (`poll.ts`); reads
 * each recovery that a page names (`observe.ts`), as far as the rate allows it now (`allowance.ts`); commits the observations together
 * with the new position in the stream (`commit.ts`), so that neither can be there without the other; looks through the lists for what
 * nothing announced (`reconcile.ts`); and tells the deadlines that have passed. Beside it a second lane calls `readDocuments`
 * (`documents.ts`), which reads the recoveries that have to be read, the most urgent first. A directory that refuses is left alone for
 * a while, and one that stays silent raises an alarm (`outage.ts`). `SandboxFollower` starts a round at once when somebody
 * has played something in a sandbox.
 */
import type { Module } from '../../tasks/module.ts';

export { IngestionAlarm, observeTokens } from './context.ts';
export { Ingestion } from './ingestion.ts';
export { observe, provenance } from './observe.ts';
export { ConfiguredParticipants } from './participants.ts';
export { SandboxFollower } from './sandbox-follower.ts';
export { inbox, stream } from './store.ts';
export { unread } from './unread-store.ts';

export const recoveryIngestionModule = { name: 'recovery-ingestion' } satisfies Module<never>;
