/**
 * Limits how many recoveries a round may read, so that no read waits for the directory's rate limit. Used by the steps
 * of a round. Shares are reserved for announced recoveries and deadlines; spending them on other reads would delay
 * urgent ones.
 */
import { SECOND_MILLISECONDS } from '../../base/time.ts';
import type { RecoveryRecord } from '../recoveries/index.ts';
import type { Participant } from './participants.ts';

/**
 * Reads that must remain after a read for that reason, out of the burst of 300 of this service's own limit (`rates` in
 * providers/directory). Half of the burst is reserved for urgent reads, and half of that for recoveries that
 * notifications announce.
 */
const reserves = { announced: 0, deadline: 75, other: 150 };
export type ReadReason = keyof typeof reserves;

/**
 * Number of reads per recovery. A counterparty reads the recovery and perhaps its graph; the creator also reads the
 * reports and the refunds.
 */
const mostReads = { counterparty: 2, creator: 4 };

/** Time after which a round starts no further read, so that a slow directory does not delay newer notifications. */
const longestRound = 20 * SECOND_MILLISECONDS;

/**
 * Limits how many recoveries a participant may read in this round, so that no read waits for the rate limit or for a
 * slow directory. One share is reserved for recoveries that notifications announce, and one for deadlines, so that a
 * backlog of other reads never delays them.
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

  /** Reserves the reads of one recovery. Returns false if not enough are left. */
  take(known: RecoveryRecord | null, why: ReadReason): boolean {
    const reads = known?.role === 'RECEIVED' ? mostReads.counterparty : mostReads.creator;
    if (performance.now() > this.#until || this.#left - reserves[why] < reads) return false;
    this.#left -= reads;
    return true;
  }

  /** Ends the allowance after the directory itself has refused a read because of its rate limit. */
  exhaust(): void {
    this.#left = 0;
  }
}
