import { SECOND_MILLISECONDS } from '../../base/time.ts';
import type { RecoveryRecord } from '../recoveries/index.ts';
import type { Participant } from './participants.ts';

/**
 * Reads that must be left after one for that reason, of the burst of 300 of our own limit (`rates` in providers/directory): half of it is kept for what is
 * urgent, and half of that for what notifications announce.
 */
const reserves = { announced: 0, deadline: 75, other: 150 };
export type ReadReason = keyof typeof reserves;

/** A counterparty reads the recovery and perhaps its graph; its creator also the reports and the refunds. */
const mostReads = { counterparty: 2, creator: 4 };

/** A round begins no read later, so that a slow directory does not keep what has come meanwhile waiting. */
const longestRound = 20 * SECOND_MILLISECONDS;

/**
 * How many recoveries a participant may read in this round, so that no read waits for the rate or for a slow directory. A share is kept for recoveries that
 * notifications announce, and one for deadlines, so that a backlog of other reads never delays them.
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
  take(known: RecoveryRecord | null, why: ReadReason): boolean {
    const reads = known?.role === 'RECEIVED' ? mostReads.counterparty : mostReads.creator;
    if (performance.now() > this.#until || this.#left - reserves[why] < reads) return false;
    this.#left -= reads;
    return true;
  }

  /** The directory itself has refused a read because of its rate. */
  exhaust(): void {
    this.#left = 0;
  }
}
