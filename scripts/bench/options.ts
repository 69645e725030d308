import { parseArgs } from 'node:util';
import type { FeedOrder } from './feed/index.ts';

export const HELP = `Measure the request path against a bare node:http + pg server that runs the same statements.

Usage: make bench, or npx node scripts/bench/main.ts [options]
  --quick           shorter turns and smaller feeds: about two and a half minutes instead of ten; good for a first look, too short for a verdict
  --feed-events N   also read a feed of so many stored events, with small payloads (also FEED_EVENTS=N; ten million take 8 GB and a quarter of an hour)
  --help            this text

Servers take turns (A B A B …) on one PostgreSQL in one run, so that only ratios are read; the machine should otherwise
be idle. Everything it makes lies in temporary folders and is removed. The figures are also written to build/bench.json.

Exit status: 0 measured, whether or not every goal was met; 1 could not measure; 2 wrong options; 3 there is no Python environment.`;

/** How long everything takes; the same things are measured either way. */
export interface Extent {
  readonly quick: boolean;
  readonly rounds: number;
  readonly secondsPerTurn: number;
  readonly warmUpSeconds: number;
  readonly startUps: number;
  readonly validation: { readonly rounds: number; readonly calls: number; readonly stockCalls: number };
  readonly feed: Pick<FeedOrder, 'recoveries' | 'sizes'>;
}

const FULL: Extent = {
  quick: false, rounds: 7, secondsPerTurn: 2, warmUpSeconds: 2, startUps: 3, validation: { rounds: 5, calls: 10_000, stockCalls: 400 },
  feed: { recoveries: 240, sizes: { small: 10_000, large: 1_000_000, largest: null } },
};
const QUICK: Extent = {
  quick: true, rounds: 3, secondsPerTurn: 1, warmUpSeconds: 1, startUps: 1, validation: { rounds: 3, calls: 5_000, stockCalls: 100 },
  feed: { recoveries: 80, sizes: { small: 10_000, large: 100_000, largest: null } },
};

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Null when only help is wanted. */
export function readOptions(args: string[], env: Readonly<Record<string, string | undefined>> = {}): Extent | null {
  const { help, quick, 'feed-events': feedEvents = env['FEED_EVENTS'] } = parse(args);
  const { feed, ...extent } = quick ? QUICK : FULL;
  return help ? null : { ...extent, feed: { ...feed, sizes: { ...feed.sizes, largest: feedEvents === undefined ? null : numberOfEvents(feedEvents) } } };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: { quick: { type: 'boolean', default: false }, help: { type: 'boolean', default: false }, 'feed-events': { type: 'string' } } }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message} (--help lists the options)`);
  }
}

function numberOfEvents(text: string): number {
  const events = Number(text);
  if (!Number.isSafeInteger(events) || events < 1000) throw new UsageError('--feed-events takes a number of events, a thousand or more');
  return events;
}
