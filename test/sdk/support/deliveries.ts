/**
 * Compares what a consumer received with the feed: the position at which each life of its program begins, and every
 * event after it, without a gap.
 */
import type { Position } from './feed-site.ts';

/** Why a life of the program began. */
export type Cause =
  | 'first start'
  | 'kill'
  | 'rotated key'
  | 'sandbox'
  | 'older position'
  | 'purge'
  | 'restored service'
  | 'new client';

/** Period from the start of a consumer's program to its end. */
export interface Life {
  readonly cause: Cause;
  /**
   * Position after which the program continues, and those after which it may continue once the service was restored
   * below it.
   */
  readonly from: readonly Position[];
  readonly pageSize: number;
  readonly events: readonly string[];
}

type Positions = readonly ReadonlyMap<string, number>[];

/**
 * Follows a life through the feed. The program must handle the event after its position, then each next one; if the
 * service was restored below it, the program continues once after the position where the service sends it. Returns how
 * far the program came.
 */
export function walk({ from, events }: Pick<Life, 'from' | 'events'>, positions: Positions): Position {
  // An event can have the same position before and after a restore, so two readings are possible for a while.
  let readings = [{ at: 0, seq: from[0]!.seq }];
  for (const [index, event] of events.entries()) {
    const further = readings.flatMap(({ at, seq }) =>
      from.flatMap((position, candidate) => {
        const next = candidate === at ? seq + 1 : position.seq + 1;
        return candidate >= at && positions[position.epoch]?.get(event) === next ? [{ at: candidate, seq: next }] : [];
      }),
    );
    if (further.length === 0) {
      const found = from.map(({ epoch }) => positions[epoch]?.get(event) ?? null);
      throw new Error(
        `event ${index} of a life that went on after ${JSON.stringify(from)} stands at ${JSON.stringify(found)}, ` +
          `after ${JSON.stringify(readings)}`,
      );
    }
    readings = further;
  }
  const { at, seq } = readings.at(-1)!;
  return { epoch: from[at]!.epoch, seq };
}

/** Causes after which, by the guide, events may be repeated, whatever page they are in. */
const RESTORED: ReadonlySet<Cause> = new Set(['older position', 'restored service', 'new client']);

/**
 * Counts the events that a consumer handled more than once, all and those after kills. A kill repeats those of its page
 * that were handled; a new key, the sandbox and a purge repeat none, and nothing is left out.
 */
export function countDoubles(
  lives: readonly Life[],
  positions: Positions,
): { readonly doubles: number; readonly afterKills: number } {
  let [reached, afterKills] = [lives[0]!.from[0]!, 0];
  for (const [index, life] of lives.entries()) {
    const [from] = life.from as readonly [Position];
    const again = reached.seq - from.seq;
    const most = life.cause === 'kill' ? (lives[index - 1]?.pageSize ?? 0) : 0;
    if (!RESTORED.has(life.cause) && (reached.epoch !== from.epoch || again < 0 || again > most)) {
      throw new Error(
        `life ${index}, after ${life.cause}, began after ${JSON.stringify(from)}, the one before it came to ` +
          `${JSON.stringify(reached)}: ${most} events at most may come again`,
      );
    }
    if (life.cause === 'kill') afterKills += again;
    reached = walk(life, positions);
  }
  const handled = lives.flatMap(({ events }) => events);
  return { doubles: handled.length - new Set(handled).size, afterKills };
}
