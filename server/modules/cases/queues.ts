import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { defaultQueues, readSettings } from '../tenant-settings/index.ts';
import type { CaseType } from './store.ts';

type Schemas = components['schemas'];
export type Queue = Schemas['CaseQueue'];

/** Rules of a tenant about cases. */
export interface CaseRules {
  /** The queues, the most urgent first. */
  readonly queues: readonly Queue[];
  readonly cases: Schemas['CaseSettings'];
}

export async function readCaseRules(tx: Transaction): Promise<CaseRules> {
  const { queues, cases } = await readSettings(tx, tx.tenantId!);
  return { queues: queues.length === 0 ? defaultQueues() : queues, cases };
}

/** Returns the queue with the key, and throws if the settings have none. */
export function namedQueue({ queues }: CaseRules, key: string): Queue {
  const found = queues.find((queue) => queue.key === key);
  if (found === undefined)
    throw new Problem('unknown_queue', {
      errors: [
        { pointer: '/queue', code: 'unknown_queue', message: `must be one of ${queues.map((q) => q.key).join(', ')}` },
      ],
    });
  return found;
}

/** Returns the queue with the key, or the first one if the tenant has removed it from the settings. */
export function queueOrFirst({ queues }: CaseRules, key: string): Queue {
  return queues.find((queue) => queue.key === key) ?? queues[0]!;
}

/** Returns the checklist of a new case, of which nothing is done yet. */
export function newChecklist({ cases }: CaseRules, type: CaseType): Schemas['CaseChecklistItem'][] {
  const list = cases.checklists.find((checklist) => checklist.type === type);
  return (list?.items ?? []).map((item) => ({ ...item, doneBy: null, doneAt: null }));
}

/** Returns the share of resolved cases of the type that are looked at again, in percent. */
export function qualityPercent({ cases }: CaseRules, type: CaseType): number {
  return cases.qualityReviews.find((share) => share.type === type)?.percent ?? 0;
}
