/** What a consumer was given, held against the feed: the place that each of its lives began at, and every event after it, without a gap. */
import type { Place } from './feed-site.ts';

/** Why a life may begin before what was handled already. */
export type Cause = 'first start' | 'kill' | 'rotated key' | 'sandbox' | 'older position' | 'purge' | 'restored service';

/** From the start of a consumer's process to its end. */
export interface Life {
  readonly cause: Cause;
  /** The place after which it goes on; after one that was restored below it, another. */
  readonly from: Place[];
  readonly pageSize: number;
  readonly events: readonly string[];
}

/** What was handled more often than once, by the reason. */
export type Doubles = Readonly<Record<Cause, number>>;

/**
 * Follows a life through the feed. It handles the event after its place, then each next one; when the service was restored below it, it
 * goes on once after the place where it is told to. Returns how many events of it belong to each place.
 */
export function walk({ from, events }: Pick<Life, 'from' | 'events'>, places: readonly ReadonlyMap<string, number>[]): readonly number[] {
  // Events can stand at the same place before and after a restore, so that both readings are possible for a while.
  let readings = [{ counts: from.map(() => 0), at: 0, next: from[0]!.seq + 1 }];
  for (const [index, event] of events.entries()) {
    const isAt = (at: number, seq: number): boolean => places[from[at]!.epoch]?.get(event) === seq;
    const further = readings.flatMap(({ counts, at, next }) => from.flatMap((place, candidate) => {
      const seq = candidate === at ? next : candidate > at ? place.seq + 1 : null;
      return seq !== null && isAt(candidate, seq) ? [{ counts: counts.with(candidate, counts[candidate]! + 1), at: candidate, next: seq + 1 }] : [];
    }));
    if (further.length === 0) {
      const found = from.map(({ epoch }) => places[epoch]?.get(event));
      throw new Error(`event ${index} of a life that went on after ${JSON.stringify(from)} stands at ${JSON.stringify(found)}, expected was ${JSON.stringify(readings.map(({ next }) => next))}`);
    }
    readings = further;
  }
  return readings[0]!.counts;
}

/** The doubles of a consumer's lives, one after the other. A kill gives those of one page at most, what ends by itself gives none. */
export function countDoubles(lives: readonly Life[], places: readonly ReadonlyMap<string, number>[]): Doubles {
  const handled = new Set<string>();
  const doubles: Record<Cause, number> = { 'first start': 0, 'kill': 0, 'rotated key': 0, 'sandbox': 0, 'older position': 0, 'purge': 0, 'restored service': 0 };
  for (const [index, life] of lives.entries()) {
    const [beforeRestore = 0] = walk(life, places);
    const isDouble = life.events.map((event) => handled.has(event));
    const own = isDouble.slice(0, beforeRestore).filter(Boolean).length;
    const most = mostOf(life.cause, lives[index - 1]);
    if (own > most) throw new Error(`life ${index}, after ${life.cause}, handled ${own} events again, ${most} at most may come again`);
    doubles[life.cause] += own;
    doubles['restored service'] += isDouble.slice(beforeRestore).filter(Boolean).length;
    for (const event of life.events) handled.add(event);
  }
  return doubles;
}

function mostOf(cause: Cause, previous: Life | undefined): number {
  if (cause === 'older position' || cause === 'restored service') return Infinity;
  return cause === 'kill' ? previous?.pageSize ?? 0 : 0;
}
