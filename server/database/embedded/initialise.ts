import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { Launcher } from './account.ts';
import { EmbeddedDatabaseError } from './error.ts';

export interface Initialise {
  readonly binaries: Binaries;
  readonly launcher: Launcher;
  /** Where the cluster shall be; its parent exists. */
  readonly directory: string;
  readonly superuser: string;
  readonly password: string;
  readonly durable: boolean;
}

export function isInitialised(directory: string): boolean {
  return existsSync(join(directory, 'PG_VERSION'));
}

/** Creates the cluster beside its place and renames it at the end: an interrupted initdb leaves no half cluster. */
export async function initialise(options: Initialise): Promise<void> {
  const { binaries, launcher, directory, superuser, password, durable } = options;
  const draft = `${directory}.new`;
  const passwordFile = `${directory}.password`;
  rmSync(draft, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
  try {
    if (launcher.account !== null) {
      for (const path of [draft, passwordFile]) chownSync(path, launcher.account.uid, launcher.account.gid);
    }
    await run(launcher, binaries.initdb, [
      `--pgdata=${draft}`, `--username=${superuser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8',
      // The built-in provider sorts by code point on every machine; no library of the host takes part.
      '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8',
      '--no-instructions', ...(durable ? [] : ['--no-sync']),
    ]);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, directory);
}

async function run(launcher: Launcher, program: string, args: readonly string[]): Promise<void> {
  const { file, args: all, options } = launcher.command(program, args);
  const child = spawn(file, all, { ...options, stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env['PATH'], LC_ALL: 'C' } });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new EmbeddedDatabaseError(`initdb failed:\n${complaints.trim()}`);
}
