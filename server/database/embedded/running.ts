import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPostmasterFile } from './postmaster.ts';
import { servesDirectory } from './process-identity.ts';

/**
 * The socket of the server that serves a data directory now; null when none does, or none yet. Lines 4 and 5 of
 * postmaster.pid are port and socket folder (PostgreSQL's pidfile.h).
 */
export function runningServer(dataDir: string): { readonly host: string; readonly port: number } | null {
  const directory = join(dataDir, 'postgres');
  const status = readPostmasterFile(directory);
  if (status === null || !status.ready || !servesDirectory(status.pid, directory)) return null;
  const [, , , port, host] = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
  return host === undefined || host === '' ? null : { host, port: Number(port) };
}
