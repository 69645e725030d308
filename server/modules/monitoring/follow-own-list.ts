import type { TaskKind } from '../../tasks/task.ts';
import { findOwnList, OWN_LIST_CHANGED } from '../own-lists/index.ts';
import { askForRunOfAll } from '../subscriptions/index.ts';

/**
 * Lets everybody of a tenant be screened again whose own list has changed. Tenants change it rarely and have all its entries in a file, so whom a change concerns is found out by the screenings themselves,
 * without an index of subjects that would have to be asked by two lists.
 */
export const ownListTask: TaskKind<unknown> = {
  name: OWN_LIST_CHANGED.name,
  step: async ({ tx, subjectId, now }) => {
    const version = await findOwnList(tx, subjectId);
    // A reset of the sandbox was first.
    if (version !== null) await askForRunOfAll(tx, version.environment, 'list_updated', now);
    return null;
  },
  // Whoever waits for a run has it, and the next change of the list asks again.
  giveUp: async () => {},
};
