import { SECOND_MILLISECONDS } from '../../base/time.ts';
import type { RecoveryRecord } from '../recoveries/index.ts';
import type { Participant } from './participants.ts';

/** Half of the burst of our own limit for reads of recoveries (`rates` in providers/directory): only what notifications announce may use it. */
const announcedReserve = 150;

/** A counterparty reads the recovery and perhaps its graph; its creator also the reports and the refunds. */
const mostReads = { counterparty: 2, creator: 4 };

/** A round begins no read later, so that a slow directory does not keep what has come meanwhile waiting. */
const longestRound = 20 * SECOND_MILLISECONDS;

/**
 * How many recoveries a participant may read in this round, so that no read waits for the rate or for a slow directory. A share is kept for recoveries that
 * notifications announce, so that a backlog of other reads never delays them.
 */
export class Allowance {
  #left: number;
  readonly #until = performance.now() + longestRound;

  private constructor(left: number) {
    this.#left = left;
  }

  static async of({ directory, ispb }: Participant): Promise<Allowance> {
    return new Allowance(await directory.recoveryReadsLeft(ispb));
  }

  /** Reserves the reads of one recovery; false if there are none left for it. */
  take(known: RecoveryRecord | null, why: 'announced' | 'other'): boolean {
    const reads = known?.role === 'RECEIVED' ? mostReads.counterparty : mostReads.creator;
    if (performance.now() > this.#until || this.#left - (why === 'announced' ? 0 : announcedReserve) < reads) return false;
    this.#left -= reads;
    return true;
  }

  /** The directory itself has refused a read because of its rate. */
  exhaust(): void {
    this.#left = 0;
  }
}
