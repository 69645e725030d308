/**
 * Data directory of a live service, made by one start and copied for all others, because PostgreSQL, migrations and
 * lists take most of a first start. Used by live-service.ts.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const KEPT = join(ROOT, 'build/live-data');

/** Longest age of the copy: the dates of the demo lie around its start, so an older copy would be a different demo. */
const LONGEST_MS = 60 * 60_000;

/** Returns a hash of everything that decides what a first start writes. */
function inputs(): string {
  const hash = createHash('sha256');
  const files = [
    'openapi.yaml',
    'package-lock.json',
    ...globSync('server/**/*.{ts,json,csv,sql,xml,gz}', {
      cwd: ROOT,
      exclude: ['server/pages/**', 'server/**/*.test.ts'],
    }).sort(),
  ];
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}

const isRecent = (folder: string): boolean => existsSync(folder) && Date.now() - statSync(folder).mtimeMs < LONGEST_MS;

/** `-p` keeps the owner of the cluster, which is another account if the service runs as root. */
const copy = (from: string, to: string): void => void execFileSync('cp', ['-Rp', `${from}/.`, to]);

/**
 * Returns a new data directory in the state after the first start. `first` runs once for each state of the sources. If
 * two processes find no copy at the same time, each makes one, and one of them is kept.
 */
export async function copiedDataDirectory(first: (dataDir: string) => Promise<void>): Promise<string> {
  const kept = join(KEPT, inputs());
  const dataDir = mkdtempSync(join(tmpdir(), 'onboarding-'));
  if (isRecent(kept)) {
    copy(kept, dataDir);
    return dataDir;
  }
  try {
    await first(dataDir);
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
  mkdirSync(KEPT, { recursive: true });
  const draft = mkdtempSync(join(KEPT, 'draft-'));
  copy(dataDir, draft);
  for (const name of readdirSync(KEPT))
    if (!name.startsWith('draft-') && !isRecent(join(KEPT, name)))
      rmSync(join(KEPT, name), { recursive: true, force: true });
  try {
    renameSync(draft, kept);
  } catch {
    // Another process has made the copy first.
    rmSync(draft, { recursive: true });
  }
  return dataDir;
}
