/** The service as it is measured: its own process with production settings, turns of load on it, and its metrics. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startLiveService } from '../test/live-service.ts';
import { atLeast, median, plain, ratioByRound, round, type Row } from './figures.ts';
import type { Measurement, Plan } from './load.ts';
import type { Program } from './program.ts';

export interface Target {
  readonly url: string;
  stop(): Promise<void>;
}

export interface MeasuredService extends Target {
  /** From the start of the process to the first `200` of /readyz. */
  readonly readyMilliseconds: number;
}

/** What preload.ts is told: paths end with the keys, and the values are the files that take their place. */
export interface Replacements {
  readonly modules: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

/** The service as it runs in production, only with quotas that no load reaches; `replacements` puts other modules and files in the place of its own. */
export async function startService(env: Readonly<Record<string, string>>, replacements?: Replacements): Promise<MeasuredService> {
  const preload = { NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'preload.ts')).href}`, BENCH_REPLACEMENTS: JSON.stringify(replacements) };
  const { baseUrl, startMs, stop } = await startLiveService('bench', { DEMO: 'false', LOG_LEVEL: 'info', ...env, ...(replacements !== undefined && preload) });
  return { url: baseUrl, readyMilliseconds: startMs, stop };
}

/** The replacement of a module by a text, for which a file is written. */
export function replacement(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** A metric without labels, in the text format of Prometheus: one `name value` per line. */
export async function metric({ url }: Target, name: string): Promise<number> {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1];
  if (value === undefined) throw new Error(`${url}/metrics has no ${name}`);
  return Number(value);
}

export const residentMegabytes = async (target: Target): Promise<number> => await metric(target, 'process_resident_memory_bytes') / 2 ** 20;

export interface Timed extends Measurement {
  /** CPU time of the server process per request. */
  readonly cpuMicroseconds: number;
}

export type Turns = readonly Timed[];

/** One turn of a server under load. */
export async function turn(generator: Program<Plan, Measurement>, target: Target, plan: Omit<Plan, 'url'>): Promise<Timed> {
  const cpuSeconds = (): Promise<number> => metric(target, 'process_cpu_seconds_total');
  const before = await cpuSeconds();
  const measurement = await generator.run({ ...plan, url: target.url });
  return { ...measurement, cpuMicroseconds: (await cpuSeconds() - before) * 1e6 / measurement.requests };
}

/** The median of the turns in one member. */
export function middle<T>(turns: readonly T[], of: (turn: T) => number): string {
  return round(median(turns.map(of)));
}

export function speed(what: string, turns: Turns): Row {
  return plain(what, `${middle(turns, (one) => one.perSecond)}/s, p99 ${middle(turns, (one) => one.p99Milliseconds)} ms, ${middle(turns, (one) => one.cpuMicroseconds)} µs CPU`);
}

/** How many times as fast ours is as theirs; without a goal it is only shown. */
export function ratio(what: string, ours: Turns, theirs: Turns, goal?: number): Row {
  const compared = ratioByRound(ours.map((one) => one.perSecond), theirs.map((one) => one.perSecond));
  return goal === undefined ? plain(what, compared.text) : atLeast(what, compared, goal);
}
