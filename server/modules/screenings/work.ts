import { workParameters } from '../../tasks/work-store.ts';
import { type WorkEntry } from '../../tasks/work.ts';
import { listOpenHits } from './work-store.ts';

/** Hits of the newest screening of each subject that wait for a decision. */
export const hitWork: readonly WorkEntry[] = [
  { kind: 'hit', list: (tx, query) => tx.run(listOpenHits, workParameters(tx, query)) },
];
