import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FirstRun } from './first-run.ts';

/** What `DATA_DIR/demo.json` holds, for scripts that take the tour. */
export interface DemoCredentials {
  readonly baseUrl: string;
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string };
  readonly email: string;
  readonly password: string;
  /** A live key with every scope. */
  readonly apiKey: string;
  /** A test key, which works while sandbox mode is on. */
  readonly testKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A second tenant, which has yet to go live. */
  readonly firstRun: FirstRun;
}

/** What an earlier version has left knows no first run. */
export type KnownDemo = Omit<DemoCredentials, 'firstRun'> & { readonly firstRun?: FirstRun };

const pathIn = (dataDir: string): string => join(dataDir, 'demo.json');

export function readDemo(dataDir: string): DemoCredentials | null {
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as DemoCredentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Complete under its name at once, and for its owner's eyes only. */
export function writeDemo(dataDir: string, demo: DemoCredentials): void {
  const draft = `${pathIn(dataDir)}.new`;
  writeFileSync(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, pathIn(dataDir));
}
