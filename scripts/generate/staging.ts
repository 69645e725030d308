/**
 * Compares a staging folder with the repository and applies the differences. Used by the pipeline and `make dev`. Only
 * folders of generated files lose files.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** Folders in which a file that is no longer generated is removed. */
const GENERATED = new Set(['generated', '_generated']);

export interface Difference {
  readonly path: string;
  readonly kind: 'missing' | 'stale' | 'left over';
}

/**
 * Returns the differences between the repository and a staging folder that mirrors it. Generators write into the
 * staging folder, so that a failed run changes nothing, and an unchanged file keeps its time stamp and triggers no
 * watcher.
 */
export function differences(staging: string, root: string): Difference[] {
  const staged = filesBelow(staging);
  const found = staged.flatMap((path): Difference[] => {
    const target = join(root, path);
    const kind = existsSync(target) ? 'stale' : 'missing';
    return kind === 'stale' && readFileSync(target).equals(readFileSync(join(staging, path))) ? [] : [{ path, kind }];
  });
  const known = new Set(staged);
  for (const folder of generatedFolders(staged)) {
    if (!existsSync(join(root, folder))) continue;
    for (const path of filesBelow(join(root, folder)).map((file) => join(folder, file))) {
      if (!known.has(path) && !path.includes('__pycache__')) found.push({ path, kind: 'left over' });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Applies the staged changes to the repository. A process that reads a file meanwhile, such as the service of `make
 * dev`, gets either the old or the new version.
 */
export function apply(staging: string, root: string, changes: readonly Difference[]): void {
  for (const { path, kind } of changes) {
    const target = join(root, path);
    if (kind === 'left over') rmSync(target);
    else {
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(join(staging, path), `${target}.new`);
      renameSync(`${target}.new`, target);
    }
  }
}

export function stage(staging: string, path: string, text: string | Uint8Array): void {
  const target = join(staging, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function generatedFolders(paths: readonly string[]): Set<string> {
  const folders = paths.flatMap((path) => {
    const parts = path.split(sep);
    const index = parts.findIndex((part) => GENERATED.has(part));
    return index < 0 ? [] : [parts.slice(0, index + 1).join(sep)];
  });
  return new Set(folders);
}
