/**
 * Finds the contract to compare with: a file, a commit or the last release. Used by `make diff` and by changelogs.
 * Without a release or a base it throws `NoBase`, which is not a fault of the change.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The base contract does not exist, which is no fault of the change. */
export class NoBase extends Error {
  override readonly name = 'NoBase';
}

/**
 * Returns the file of the base contract: `base` itself if it is a file, otherwise openapi.yaml at that commit, branch
 * or tag; without `base`, at the last release tag: `v1.2.3` of the contract, `typescript-v1.2.3` and `python-v1.2.3` of
 * the SDKs.
 */
export function baseContract(root: string, base: string | undefined, folder: string, tag = 'v'): string {
  if (base !== undefined && existsSync(resolve(base))) return resolve(base);
  const ref = baseRef(root, base, tag);
  const file = join(folder, 'base.yaml');
  const text = fileAt(root, ref, 'openapi.yaml');
  if (text === null) throw new NoBase(`${ref} has no openapi.yaml: nothing to compare with`);
  writeFileSync(file, text);
  return file;
}

/** Returns an existing commit, branch or tag: `base`, else the last release tag that begins with `tag`. */
export function baseRef(root: string, base: string | undefined, tag = 'v'): string {
  const ref = base ?? lastRelease(root, tag);
  git(root, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], `there is no file, commit, branch or tag ${ref}`);
  return ref;
}

function lastRelease(root: string, tag: string): string {
  try {
    return git(root, ['describe', '--tags', '--abbrev=0', '--match', `${tag}[0-9]*`], '').trim();
  } catch {
    throw new NoBase(`no release yet (no tag ${tag}1.2.3) and no BASE given: nothing to compare with`);
  }
}

/** Returns a file at a commit, branch or tag; null if it does not exist there. */
export function fileAt(root: string, ref: string, path: string): string | null {
  try {
    return git(root, ['show', `${ref}:${path}`], '');
  } catch {
    return null;
  }
}

function git(root: string, args: readonly string[], message: string): string {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch {
    throw new Error(message);
  }
}
