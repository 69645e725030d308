/**
 * Decides under which account of the operating system the embedded PostgreSQL server runs, and in which
 * folder its unix socket lies. PostgreSQL refuses to run as root, while containers and some servers start the service
 * as root. Used by everything that starts the embedded server.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Thrown if the embedded database cannot be started. The message gives the reason and the remedy for the operator. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
}

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Starts the programs of PostgreSQL under an account that is not root. */
export interface Launcher {
  /** Account that must own the server's files; null if it is the account of the service. */
  readonly account: Account | null;
  command(program: string, args: readonly string[]): Command;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { readonly cwd: string; readonly uid?: number; readonly gid?: number };
}

/**
 * Chooses the account of the server; null if the service does not run as root. The owner of an existing data directory
 * stays the same.
 */
export function serverAccount(dataDirectory: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(dataDirectory, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (account === null) {
    throw new EmbeddedDatabaseError(
      'PostgreSQL does not run as root and there is no account "postgres" or "nobody" to run it as. ' +
        'Start the service as an ordinary user, or set DATABASE_URL.',
    );
  }
  return account;
}

/**
 * Runs the server as `account` if the service is root. If that account cannot reach `program` or `directory`, for
 * example because the clone is below a folder of mode 0700, the server gets the capability CAP_DAC_READ_SEARCH
 * (capabilities(7)) to enter such folders, and no other right of root.
 */
export function chooseLauncher(account: Account | null, program: string, directory: string): Launcher {
  if (account === null) return { account, command: (file, args) => ({ file, args, options: { cwd: '/' } }) };
  const { uid, gid } = account;
  const withoutRoot: Launcher = { account, command: (file, args) => ({ file, args, options: { cwd: '/', uid, gid } }) };
  const withSearchCapability: Launcher = {
    account,
    command: (file, args) => ({
      file: 'setpriv',
      args: [
        `--reuid=${uid}`,
        `--regid=${gid}`,
        '--clear-groups',
        '--inh-caps=-all,+dac_read_search',
        '--ambient-caps=-all,+dac_read_search',
        '--bounding-set=-all,+dac_read_search',
        // initdb uses access(2), which ignores the capabilities of an ordinary user unless this bit is set.
        '--securebits=+no_setuid_fixup',
        '--',
        file,
        ...args,
      ],
      options: { cwd: '/' },
    }),
  };
  for (const launcher of [withoutRoot, withSearchCapability]) {
    if (works(launcher, program, ['--version']) && works(launcher, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory]))
      return launcher;
  }
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root, and the account ${account.name} cannot reach ${program} and ${directory}. ` +
      'Start the service as an ordinary user, move the clone and DATA_DIR to folders that every account may enter, ' +
      'install setpriv (util-linux), or set DATABASE_URL.',
  );
}

function works(launcher: Launcher, program: string, args: readonly string[]): boolean {
  const { file, args: all, options } = launcher.command(program, args);
  return spawnSync(file, all, { ...options, stdio: 'ignore' }).status === 0;
}

function lookUp(name: string): Account | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout.trim()) : null;
  });
  return uid == null || gid == null || uid === 0 ? null : { name, uid, gid };
}

/**
 * Maximum length of the socket path: `sun_path` holds 108 bytes on Linux and 104 on macOS, the final NUL included
 * (unix(7)).
 */
const longestPath = 103;

/** Returns the folder of the server's unix socket: `preferred`, or a short one if the path would be too long. */
export function socketDirectory(preferred: string, account: Account | null, socketName: string): string {
  const short = `compliance-${createHash('sha256').update(preferred).digest('hex').slice(0, 16)}`;
  const directory = [preferred, join(tmpdir(), short), join('/tmp', short)].find(
    (candidate) => Buffer.byteLength(join(candidate, socketName)) <= longestPath,
  );
  if (directory === undefined)
    throw new EmbeddedDatabaseError(
      `No folder is short enough for a unix socket; set DATA_DIR or TMPDIR to a shorter path than ${preferred}`,
    );
  create(directory, account);
  return directory;
}

/**
 * Creates the folder, or checks that an existing one belongs to this account, because in a shared folder any account
 * could have created it before.
 */
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
    throw new EmbeddedDatabaseError(
      `${directory} belongs to another account; remove it, or set DATA_DIR to a shorter path`,
    );
  }
  if (account !== null) chownSync(directory, account.uid, account.gid);
  chmodSync(directory, 0o700);
}
