import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { EmbeddedDatabaseError } from './error.ts';

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, the final NUL included (unix(7)). */
const longestPath = 103;

/** The folder of the server's unix socket: `preferred`, or a short one when the path would be too long. */
export function socketDirectory(preferred: string, account: Account | null, socketName: string): string {
  const short = `compliance-${createHash('sha256').update(preferred).digest('hex').slice(0, 16)}`;
  const directory = [preferred, join(tmpdir(), short), join('/tmp', short)].find(
    (candidate) => Buffer.byteLength(join(candidate, socketName)) <= longestPath,
  );
  if (directory === undefined) throw new EmbeddedDatabaseError(`No folder is short enough for a unix socket; set DATA_DIR or TMPDIR to a shorter path than ${preferred}`);
  create(directory, account);
  return directory;
}

/** In a shared folder anybody could have prepared the name: what is there must be ours and private. */
function create(directory: string, account: Account | null): void {
  const owner = account?.uid ?? process.getuid?.();
  try {
    mkdirSync(directory, { mode: 0o700 });
    if (account !== null) chownSync(directory, account.uid, account.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = lstatSync(directory);
  const ours = found.uid === owner || found.uid === process.getuid?.();
  if (!found.isDirectory() || !ours) {
    throw new EmbeddedDatabaseError(`${directory} belongs to another account; remove it, or set DATA_DIR to a shorter path`);
  }
  if (account !== null) chownSync(directory, account.uid, account.gid);
  chmodSync(directory, 0o700);
}
