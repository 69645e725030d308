/**
 * Starts a service as a user would, for suites that need a whole one. Used by steps of `make test`, benchmarks and
 * screenshots. Callers stop it; if it does not become ready, its log is in the error.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOGS } from './command.ts';
import { LONGEST_START } from './limits.ts';
import { copiedDataDirectory } from './live-data.ts';
import { tookSoFar } from './processor.ts';

/** A service with its own data directory, started as `make start` starts it. */
export interface LiveService {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Path of demo.json, which holds address and credentials for programs. */
  readonly demo: string;
  readonly startMs: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Quotas far above what the suites send, because all suites share the demo tenant's keys. */
const GENEROUS = {
  RATE_LIMIT_REQUESTS: '1000000',
  RATE_LIMIT_UPLOADS: '1000000',
  RATE_LIMIT_FEED: '1000000',
  RATE_LIMIT_PAGES: '1000000',
  RATE_LIMIT_LOGINS_PER_ADDRESS: '1000000',
  RATE_LIMIT_FAILED_AUTHENTICATIONS: '1000000',
};

/** Variables that change what a first start writes, or where. */
const OTHER_DATA = ['DATABASE_URL', 'SERVICE_SECRET', 'DEMO'];

/**
 * Starts a service on the data directory that `env` names, which is then not deleted, or else on a copy of one that was
 * started before. With `again`, the killed service starts once more on the same address and data directory.
 */
export async function startLiveService(
  name: string,
  env: Readonly<Record<string, string>> = {},
  again?: LiveService,
): Promise<LiveService> {
  mkdirSync(LOGS, { recursive: true });
  const dataDir =
    env['DATA_DIR'] ??
    again?.dataDir ??
    (OTHER_DATA.some((one) => env[one] !== undefined)
      ? mkdtempSync(join(tmpdir(), 'onboarding-'))
      : await startedDataDirectory());
  const port = again === undefined ? await freePort() : Number(new URL(again.baseUrl).port);
  const begun = performance.now();
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...process.env,
      ...GENEROUS,
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO: 'true',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(join(LOGS, `${name}-service.log`), { flags: 'a' });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const baseUrl = `http://127.0.0.1:${port}`;
  const stopped = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const closed = new Promise((resolve) => child.once('close', resolve));
      tookSoFar(child.pid);
      // Its database is a child process, which only an orderly stop ends.
      child.kill('SIGTERM');
      await closed;
    }
  };
  const removed = (): void => {
    if (env['DATA_DIR'] === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await ready(baseUrl, child, join(LOGS, `${name}-service.log`));
  } catch (error) {
    await stopped();
    if (again === undefined) removed();
    throw error;
  }
  return {
    baseUrl,
    dataDir,
    process: child,
    demo: join(dataDir, 'demo.json'),
    startMs: Math.round(performance.now() - begun),
    async stop() {
      await stopped();
      removed();
    },
  };
}

/** Returns a new data directory in the state in which `make start` leaves it when it stops. */
export function startedDataDirectory(): Promise<string> {
  return copiedDataDirectory(async (dataDir) => (await startLiveService('first-start', { DATA_DIR: dataDir })).stop());
}

async function ready(baseUrl: string, child: ChildProcess, log: string): Promise<void> {
  for (
    const deadline = Date.now() + LONGEST_START;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 10))
  ) {
    if (child.exitCode !== null) break;
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error(`The service did not become ready:\n${readFileSync(log, 'utf8').slice(-4000)}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
