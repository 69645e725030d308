import type { TaskKind } from '../../tasks/task.ts';
import { NOTICES_CHANGED } from '../tenant-settings/index.ts';
import { renewNotices } from './store.ts';

/** A tenant has set other times at which deadlines are announced: the next rounds of ingestion look at every deadline that is ahead. */
export const renewNoticesTask: TaskKind<unknown> = {
  name: NOTICES_CHANGED.name,
  step: async ({ tx }) => {
    await tx.run(renewNotices, { tenantId: tx.tenantId! });
    return null;
  },
  // Each recovery goes by the new times when it is next read.
  giveUp: async () => {},
};
