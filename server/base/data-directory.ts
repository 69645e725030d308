import { accessSync, chmodSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from './config.ts';

/** Makes the service's own folder if it is missing. What keeps this account from using it is told to whoever set DATA_DIR. */
export function openDataDir(dataDir: string): void {
  try {
    create(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(dataDir, error as Error);
  }
}

/** What goes wrong with a file below DATA_DIR while the service starts is the operator's to mend, too; null for any other error. */
export function dataDirError(dataDir: string, error: unknown): ConfigError | null {
  const { path } = error as NodeJS.ErrnoException;
  return typeof path === 'string' && path.startsWith(dataDir) ? unusable(dataDir, error as Error) : null;
}

/** Kept for commands that work beside the service and print links to it, whatever PORT it was started with. */
export function rememberOrigin(dataDir: string, origin: string): void {
  writeFileSync(join(dataDir, 'origin'), `${origin}\n`);
}

/** Where the service of this folder was reached last; null if it never ran. */
export function rememberedOrigin(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, 'origin'), 'utf8').trim();
  } catch {
    return null;
  }
}

function unusable(dataDir: string, { message }: Error): ConfigError {
  return new ConfigError(`DATA_DIR ${dataDir} cannot be used (${message}). Set DATA_DIR to a folder in which this account can write.`);
}

/**
 * One level after the other: a recursive mkdir never ends where the system calls a folder missing that is there, such as
 * /proc. As root the folder must be passable for the account of the database server; the files in it stay private.
 */
function create(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(path);
  if (parent !== path) create(parent);
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    mkdirSync(path, { mode });
    chmodSync(path, mode);
  } catch (error) {
    // Another process may have made it just now.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
