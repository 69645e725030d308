import { misused, readOptions } from '../options.ts';

const HELP = `Measure the request path against a bare node:http + pg server that runs the same statements.

Usage: make bench, or npx node scripts/bench/main.ts [options]
  --quick           shorter turns and smaller feeds: about three minutes instead of ten; good for a first look, too short for a verdict
  --only NAME       only the measurements whose name contains this: whole path, audit, validation, footprint, authentication, feed, SDKs
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
  /** Calls of each SDK that end at their deadline, of each kind. */
  readonly deadlines: number;
  /** Recoveries that are taken in per turn, and events of a small stored feed and of a large one; the payloads of the largest do not fit on every disk. */
  readonly feed: { readonly recoveries: number; readonly small: number; readonly large: number; readonly largest: number | null };
}

const FULL = {
  quick: false, rounds: 7, secondsPerTurn: 2, warmUpSeconds: 2, startUps: 3, validation: { rounds: 5, calls: 10_000, stockCalls: 400 }, deadlines: 50,
  feed: { recoveries: 240, small: 10_000, large: 1_000_000 },
};
const QUICK = {
  quick: true, rounds: 3, secondsPerTurn: 1, warmUpSeconds: 1, startUps: 1, validation: { rounds: 3, calls: 5_000, stockCalls: 100 }, deadlines: 10,
  feed: { recoveries: 80, small: 10_000, large: 100_000 },
};

/** What is to be measured, and how long; null when only help is wanted. */
export function readExtent(args: string[], env: Readonly<Record<string, string | undefined>>): { readonly extent: Extent; readonly only: string } | null {
  const { values: { help, quick, only, 'feed-events': feedEvents = env['FEED_EVENTS'] } } = readOptions({
    args, options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' }, help: { type: 'boolean', default: false }, 'feed-events': { type: 'string' } },
  });
  const { feed, ...extent } = quick ? QUICK : FULL;
  const largest = feedEvents === undefined ? null : Number(feedEvents);
  if (largest !== null && !(Number.isSafeInteger(largest) && largest >= 1000)) misused('--feed-events takes a number of events, a thousand or more');
  if (help) console.log(HELP);
  return help ? null : { only, extent: { ...extent, feed: { ...feed, largest } } };
}
