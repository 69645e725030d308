/**
 * Retention of data from the directory, and its erasure on request (LGPD, Lei 13.709/2018, art. 18). The module owns no
 * table. It deletes from the tables of recovery-feed and recoveries, and from recovery-ingestion's `dict_inbox`, under
 * the locks of their writers (`lockRecordWriters`, then `lockHead`), and sets `erased_at` of a record.
 *
 * `DELETE /api/v1/funds-recovery/{fundsRecoveryId}/payloads` as an example: `erasePayloads` (`erase-payloads.ts`) finds
 * the recovery, locks its record, and in one transaction removes the payloads of its events, the pages of the directory
 * that name it, and the personal data of its snapshot; the mark on the record keeps later reads from restoring them.
 * The periodic jobs `purgeFeed` and `purgeInbox` (`purge.ts`) delete in batches what is older than `retentionDays`.
 */
import type { Module } from '../../tasks/module.ts';
import { recoveryRetentionHandlers } from './handlers.ts';
import { jobs } from './jobs.ts';

export const recoveryRetentionModule = {
  name: 'recovery-retention',
  handlers: () => recoveryRetentionHandlers,
  jobs,
} satisfies Module<never>;
