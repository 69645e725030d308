import type { Document } from '../../../providers/directory/index.ts';
import type { Status } from './status.ts';

/** Something that happened to a recovery in the directory, however we learned it. */
export interface Fact {
  /** Equal for the same fact whether it was announced, read or both. */
  readonly key: string;
  readonly eventType: string;
  /** The status that it leads to; null for one that changes none. */
  readonly reaches: Status | null;
  /** The directory's time, milliseconds. */
  readonly at: number;
  readonly origin: 'NATIVE' | 'DERIVED' | 'DEADLINE';
  /** The documents that led to it. */
  readonly documents: Document;
  readonly deadline?: Deadline;
}

export type DeadlineStage = 'TRACKING' | 'ANALYSIS' | 'REFUND_START' | 'REFUND';

export interface Deadline {
  readonly stage: DeadlineStage;
  /** Milliseconds. */
  readonly due: number;
  /** The recovery, report or refund that it is about. */
  readonly entityId: string;
}

export function eventType(name: string): string {
  return `FUNDS_RECOVERY_${name}`;
}

export function statusKey(recoveryId: string, status: Status): string {
  return `fr:${recoveryId}:${status}`;
}
