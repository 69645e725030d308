/**
 * The measured service: a separate process with production settings, turns of load on it, and the figures of these
 * turns. Used by most measurements.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startLiveService } from '../test/live-service.ts';
import { amount, type Figure, median, ratio, round } from './figures.ts';
import type { Measurement } from './load.ts';

export interface Target extends AsyncDisposable {
  readonly url: string;
}

/** Texts that replace modules and files of the service, by the end of their paths. */
export type Replacements = Readonly<Record<string, string>>;

/**
 * Starts the service as in production, but with quotas that no load reaches. `folder` holds the replacements of its
 * modules and files. The service counts as ready from the first `200` of /readyz.
 */
export async function startService(folder: string, env: Readonly<Record<string, string>>, replacements?: Replacements) {
  const file = join(folder, 'replacements.json');
  writeFileSync(file, JSON.stringify(replacements ?? {}));
  const preload = {
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'preload.ts')).href}`,
    BENCH_REPLACEMENTS: file,
  };
  const { baseUrl, startMs, stop } = await startLiveService('bench', {
    DEMO: 'false',
    LOG_LEVEL: 'info',
    ...env,
    ...(replacements !== undefined && preload),
  });
  return { url: baseUrl, readyMilliseconds: startMs, [Symbol.asyncDispose]: stop };
}

/** Returns a metric without labels, in the text format of Prometheus: one `name value` per line. */
export async function metric({ url }: Target, name: string): Promise<number> {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1];
  if (value === undefined) throw new Error(`${url}/metrics has no ${name}`);
  return Number(value);
}

export const residentMegabytes = async (target: Target): Promise<number> =>
  (await metric(target, 'process_resident_memory_bytes')) / 2 ** 20;

export interface Timed extends Measurement {
  /** CPU time of the server process per request. */
  readonly cpuMicroseconds: number;
}

export type Samples = readonly Timed[];

const middle = <T>(turns: readonly T[], of: (turn: T) => number): string => round(median(turns.map(of)));
export const latency = (turns: Samples): Figure =>
  amount(
    median(turns.map((one) => one.p50Milliseconds)),
    '',
    `p50 ${middle(turns, (one) => one.p50Milliseconds)} ms, p99 ${middle(turns, (one) => one.p99Milliseconds)} ms`,
  );
export const speed = (turns: Samples): Figure =>
  amount(
    median(turns.map((one) => one.perSecond)),
    '',
    `${middle(turns, (one) => one.perSecond)}/s, ${latency(turns).text}, ` +
      `${middle(turns, (one) => one.cpuMicroseconds)} µs CPU`,
  );
/** Returns how many times as fast the first is as the second. */
export const timesAsFast = (ours: Samples, theirs: Samples): Figure => ratio(ours, theirs, (turn) => turn.perSecond);
