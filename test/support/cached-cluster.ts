/**
 * Data directory of the test PostgreSQL after migrations and lists, cached between runs of `make quick`. No server ever
 * runs in the cached folder: each run starts its own server on a copy, so runs do not affect each other, and a killed
 * run does not damage the cached folder.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Imports } from '../../scripts/quick/imports.ts';

const ROOT = join(import.meta.dirname, '../..');
/** File in the cached folder that identifies the sources it was made from. */
const KEY = 'made-from';

/** `-p` keeps the owner of the cluster, which is another account if the tests run as root. */
const copy = (from: string, to: string): void => void execFileSync('cp', ['-Rp', `${from}/.`, to]);

/**
 * Fills an empty folder with the cached files. Returns false if there are none, or if they were made from other
 * sources.
 */
export function copyCached(cached: string, dataDir: string): boolean {
  const path = join(cached, KEY);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== sources()) return false;
  copy(join(cached, 'data'), dataDir);
  return true;
}

/** Caches the files of a stopped server, replacing earlier ones. */
export function cacheCluster(dataDir: string, cached: string): void {
  mkdirSync(dirname(cached), { recursive: true });
  const draft = mkdtempSync(join(dirname(cached), 'draft-'));
  mkdirSync(join(draft, 'data'));
  copy(dataDir, join(draft, 'data'));
  writeFileSync(join(draft, KEY), sources());
  rmSync(cached, { recursive: true, force: true });
  renameSync(draft, cached);
}

/**
 * Returns a hash of what decides the content of the cluster: the files that the set-up imports, all migrations, and the
 * version of PostgreSQL.
 */
function sources(): string {
  const imported = [...new Imports(ROOT).closure(['test/support/global-setup.ts']).keys()];
  const found = globSync('{server/database,server/modules/watch-lists}/**/*', {
    cwd: ROOT,
    withFileTypes: true,
    exclude: ['**/*.test.ts'],
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
  const hash = createHash('sha256').update(process.version);
  for (const file of [...new Set(['package-lock.json', ...imported, ...found])].sort()) {
    const path = join(ROOT, file);
    if (existsSync(path)) hash.update(file).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}
