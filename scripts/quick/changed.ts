/** Finds the files that `make quick` considers. */
import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';

export interface Changed {
  /** Paths below the root, of existing and of deleted files. */
  readonly files: readonly string[];
  /** Commit to compare with; null if there is none. */
  readonly base: string | null;
  /** Description of the files, for the output. */
  readonly what: string;
}

/**
 * Returns the files that differ from `main`: committed on the branch, staged, unstaged and untracked. On `main` itself
 * these are the uncommitted files and, if there are none, those of the last commit.
 */
export function changedFiles(root: string): Changed {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', root, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    }).trim();
  const commit = (name: string): string | null => {
    try {
      return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
    } catch {
      return null;
    }
  };
  const names = (text: string): string[] => text.split('\0').filter((name) => name !== '');
  const untracked = names(git('ls-files', '-z', '--others', '--exclude-standard')).filter((name) =>
    isFile(join(root, name)),
  );
  const since = (base: string): Changed['files'] =>
    [...new Set([...names(git('diff', '-z', '--name-only', '--no-renames', base)), ...untracked])].sort();

  const head = commit('HEAD');
  const main = commit('main') ?? commit('origin/main');
  if (head === null) return { files: untracked, base: null, what: 'all files, because there is no commit yet' };
  if (main !== null && main !== head) {
    const base = git('merge-base', main, head);
    return { files: since(base), base, what: `differ from main (${base.slice(0, 8)})` };
  }
  const uncommitted = since(head);
  const parent = commit('HEAD~1');
  if (uncommitted.length > 0 || parent === null) return { files: uncommitted, base: head, what: 'are not committed' };
  return { files: since(parent), base: parent, what: 'are of the last commit, because nothing is uncommitted' };
}

/** Returns the files at or below the paths given on the command line. */
export function namedFiles(root: string, paths: readonly string[]): Changed {
  const listed = execFileSync(
    'git',
    ['-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const files = [...new Set(listed.split('\0'))].filter((name) => name !== '' && isFile(join(root, name))).sort();
  return { files, base: null, what: `are named (${paths.join(', ')})` };
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
