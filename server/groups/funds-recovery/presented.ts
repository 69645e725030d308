import { Problem } from '../../http/problem.ts';
import type { FeedPosition } from './feed-cursor.ts';
import type { FeedHead } from './store.ts';

/** Refuses a position that is of an older generation (reset or restore), purged by retention, or beyond what was ever published. */
export function assertStillThere(position: FeedPosition, head: FeedHead): void {
  const isThere = position.generation === head.generation && position.sequence >= head.floor_seq && position.sequence <= head.last_seq;
  if (!isThere) throw expired();
}

export function expired(): Problem {
  return new Problem('cursor_expired', { detail: 'Call again without a cursor.' });
}
