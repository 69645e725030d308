import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeAtInterrupt } from './interrupt.ts';
import { freePort, terminate } from './processes.ts';

export interface Service {
  readonly port: number;
  /** From the start of the process to the first `200` of /readyz. */
  readonly readyMilliseconds: number;
  /** The value of a metric without labels. */
  metric(name: string): Promise<number>;
  residentMegabytes(): Promise<number>;
  stop(): Promise<void>;
}

const MEGABYTE = 1024 * 1024;
const MOST = '1000000';
/** No request may be refused for coming too often: that is all the load is about. */
const QUOTAS = { RATE_LIMIT_REQUESTS: MOST, RATE_LIMIT_UPLOADS: MOST, RATE_LIMIT_FEED: MOST, RATE_LIMIT_PAGES: MOST };

export interface ServiceOptions {
  /** Folder of data and log. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of node before the program. */
  readonly nodeOptions?: readonly string[];
}

/** The service as it runs in production: its own process, log level and settings, only with larger quotas. */
export async function startService({ folder, env = {}, nodeOptions = [] }: ServiceOptions): Promise<Service> {
  const port = await freePort();
  const logFile = join(folder, 'service.log');
  const log = openSync(logFile, 'a');
  const begun = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, '../../server/main.ts')], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...QUOTAS, PORT: String(port), DATA_DIR: join(folder, 'data'), DEMO: 'false', ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  const stop = closeAtInterrupt(() => terminate(child));
  try {
    await becomesReady(child, url);
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}; its log ends with:\n${readFileSync(logFile, 'utf8').slice(-2000)}`, { cause: error });
  }
  return {
    port, readyMilliseconds: performance.now() - begun,
    metric: (name) => readMetric(url, name),
    residentMegabytes: async () => await readMetric(url, 'process_resident_memory_bytes') / MEGABYTE,
    stop,
  };
}

async function becomesReady(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the service ended while it started');
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return;
    await sleep(5);
  }
  throw new Error('the service was not ready after a minute');
}

/** In the text format of Prometheus: one `name value` per line. */
export async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`${url}/metrics has no ${name}`);
  return Number(value);
}
