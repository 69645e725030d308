/**
 * Task that makes the deadlines of a tenant be looked at again after it has changed when they are announced. Registered
 * by the index and queued by a change of the settings. If it fails for good, each recovery follows at its next read.
 */
import type { TaskKind } from '../../tasks/task.ts';
import { NOTICES_CHANGED } from '../tenant-settings/index.ts';
import { renewNotices } from './due-store.ts';

/**
 * Runs after a tenant has changed the times at which deadlines are announced: the next rounds of ingestion process
 * every deadline that is ahead.
 */
export const renewNoticesTask: TaskKind<unknown> = {
  name: NOTICES_CHANGED.name,
  step: async ({ tx }) => {
    await tx.run(renewNotices, { tenantId: tx.tenantId! });
    return null;
  },
  // If the task fails for good, each recovery adopts the new times at its next read.
  giveUp: async () => {},
};
