import type { WorkEntry } from '../../tasks/work.ts';
import { workParameters } from '../../tasks/work-store.ts';
import { listWaitingAlerts } from './work-store.ts';

/** Alerts that nobody has dealt with. An escalated one waits in its case. */
export const alertWork: readonly WorkEntry[] = [
  { kind: 'alert', list: (tx, query) => tx.run(listWaitingAlerts, workParameters(tx, query)) },
];
