import { parseArgs } from 'node:util';

export const HELP = `Measure the request path against a bare node:http + pg server that runs the same statements.

Usage: make bench, or node scripts/bench/main.ts [options]
  --quick   shorter turns: about a minute and a half instead of five; good for a first look, too short for a verdict
  --help    this text

Servers take turns (A B A B …) on one PostgreSQL in one run, so that only ratios are read; the machine should otherwise
be idle. Everything it makes lies in temporary folders and is removed. The figures are also written to build/bench.json.

Exit status: 0 measured, whether or not every goal was met; 1 could not measure; 2 wrong options.`;

/** How long everything takes; the same things are measured either way. */
export interface Extent {
  readonly quick: boolean;
  readonly rounds: number;
  readonly secondsPerTurn: number;
  readonly warmUpSeconds: number;
  readonly startUps: number;
  readonly validation: { readonly rounds: number; readonly calls: number; readonly stockCalls: number };
}

const FULL: Extent = {
  quick: false, rounds: 7, secondsPerTurn: 2, warmUpSeconds: 2, startUps: 3, validation: { rounds: 5, calls: 10_000, stockCalls: 400 },
};
const QUICK: Extent = {
  quick: true, rounds: 3, secondsPerTurn: 1, warmUpSeconds: 1, startUps: 1, validation: { rounds: 3, calls: 5_000, stockCalls: 100 },
};

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Null when only help is wanted. */
export function readOptions(args: string[]): Extent | null {
  try {
    const { values } = parseArgs({ args, options: { quick: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } });
    return values.help ? null : values.quick ? QUICK : FULL;
  } catch (error) {
    throw new UsageError(`${(error as Error).message} (--help lists the options)`);
  }
}
