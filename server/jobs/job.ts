import type { Services } from '../services.ts';
import type { JobMetrics } from './metrics.ts';

export interface Round {
  readonly services: Services;
  readonly metrics: JobMetrics;
  /** Aborted when the service stops or the lock was lost: what is left is for the next round. */
  readonly signal: AbortSignal;
}

/** Work that is done again and again, by one process at a time. */
export interface Job {
  readonly name: string;
  readonly everySeconds: number;
  /** Answers how much was done. A round that fails is simply followed by the next, so each step of it must stand alone. */
  readonly run: (round: Round) => Promise<number>;
}
