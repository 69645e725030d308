import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { EmbeddedDatabaseError } from './error.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** How to run a program of PostgreSQL, which refuses to work as root. */
export interface Launcher {
  /** The account that must own what the server writes; null when it is the service's own. */
  readonly account: Account | null;
  command(program: string, args: readonly string[]): Command;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { readonly cwd: string; readonly uid?: number; readonly gid?: number };
}

/** `dataDirectory` is the cluster's; if it exists already, its owner runs the server. */
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
 * As root the server runs as `account`. When that account cannot reach `program` or `directory`, say because
 * the clone lies below a folder of mode 0700, the server gets the one capability to search such folders,
 * and nothing else of root's.
 */
export function chooseLauncher(account: Account | null, program: string, directory: string): Launcher {
  if (account === null) return { account, command: (file, args) => ({ file, args, options: { cwd: '/' } }) };
  const { uid, gid } = account;
  const dropped: Launcher = { account, command: (file, args) => ({ file, args, options: { cwd: '/', uid, gid } }) };
  const searching: Launcher = {
    account,
    command: (file, args) => ({
      file: 'setpriv',
      args: [
        `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=-all,+dac_read_search',
        '--ambient-caps=-all,+dac_read_search', '--bounding-set=-all,+dac_read_search',
        // initdb asks access(2), which ignores the capabilities of an ordinary user unless this bit is set.
        '--securebits=+no_setuid_fixup', '--', file, ...args,
      ],
      options: { cwd: '/' },
    }),
  };
  for (const launcher of [dropped, searching]) {
    if (works(launcher, program, ['--version']) && works(launcher, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory])) return launcher;
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
