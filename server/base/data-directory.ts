/**
 * Creates and checks DATA_DIR, and remembers where the service last ran. Used at the start and by commands. Problems
 * become a `ConfigError` that says what the operator can do.
 */
import { accessSync, chmodSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ConfigError } from './config.ts';

/**
 * Creates DATA_DIR, the folder for the service's own files, if it is missing. Throws a `ConfigError` with advice for
 * the operator if the service cannot use it.
 */
export function openDataDir(dataDir: string): void {
  try {
    create(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(dataDir, error as Error);
  }
}

/**
 * Converts the error of a failed file operation in DATA_DIR to a `ConfigError` with the same advice. Returns null for
 * any other error.
 */
export function dataDirError(dataDir: string, error: unknown): ConfigError | null {
  const { path } = error as NodeJS.ErrnoException;
  const isInside = typeof path === 'string' && relative(dataDir, path).split(sep)[0] !== '..';
  return isInside ? unusable(dataDir, error as Error) : null;
}

/** Records the origin of the running service, because its port can change at each start and commands print links. */
export function rememberOrigin(dataDir: string, origin: string): void {
  writeFileSync(join(dataDir, 'origin'), `${origin}\n`);
}

/** Returns the origin at which the service of this folder was last available, or null if the service never ran. */
export function rememberedOrigin(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, 'origin'), 'utf8').trim();
  } catch {
    return null;
  }
}

function unusable(dataDir: string, { message }: Error): ConfigError {
  return new ConfigError(
    `DATA_DIR ${dataDir} cannot be used (${message}). Set DATA_DIR to a folder in which this account can write.`,
  );
}

/**
 * Creates missing folders one level at a time, because the recursive mkdir of Node does not terminate below a folder
 * such as /proc, where the system reports an existing folder as missing. If the service runs as root, the account of
 * the database server must be able to traverse the folder; the files in it stay private.
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
    // Another process may have created the folder in the meantime.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
