/**
 * Bounds what one instance leads to. Each instance that another one calls, or begins by a message or a signal, stands
 * below the first of them, its root, so that instances which multiply end there, whichever way they take.
 */
import type { Transaction } from '../../database/index.ts';
import { countBegun } from './hierarchy-store.ts';
import type { Instance } from './instance-store.ts';

/** Instances that lead to one, each to the next one. A process that calls or starts itself ends there. */
const DEEPEST = 10;

/** Instances that one root has begun in all, those that have ended included. */
const MOST_BEGUN = 10_000;

/** Where an instance stands among those that one leads to. */
export interface Position {
  readonly rootInstanceId: string;
  readonly depth: number;
}

/** Why an instance begins no other one. */
export interface NoPosition {
  readonly code: 'call_depth' | 'too_many_instances';
  readonly message: string;
}

/**
 * Returns the position of the next instance that this one begins, or why there is none. Until the transaction ends, no
 * other instance below the same root begins one, so two of them are never both the last one.
 */
export async function positionBelow(
  tx: Transaction,
  { id, rootInstanceId, depth }: Pick<Instance, 'id' | 'rootInstanceId' | 'depth'>,
): Promise<Position | NoPosition> {
  if (depth >= DEEPEST) return { code: 'call_depth', message: `Processes call each other more than ${DEEPEST} times.` };
  const root = rootInstanceId ?? id;
  if ((await countBegun(tx, root, MOST_BEGUN)) < MOST_BEGUN) return { rootInstanceId: root, depth: depth + 1 };
  const message = `One instance has begun ${MOST_BEGUN} others, by calls and messages together.`;
  return { code: 'too_many_instances', message };
}
