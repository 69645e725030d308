/**
 * This file detects that the database is older than the service has seen it before, as after a restore from a backup,
 * and then ends all cursors of the feeds: an earlier cursor would lie beyond events that are published later, and its
 * consumer would miss them. Used by the jobs of this module.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../base/log.ts';
import type { Database } from '../../database/index.ts';
import { EVERY_STATUS, forEachTenant } from '../../tasks/store.ts';
import { beginGeneration, sumOfPositions } from './restored-store.ts';

/**
 * Begins a new generation of every feed, so that each earlier cursor is answered by `cursor_expired`. Returns the
 * number of tenants.
 */
export function endAllCursors(database: Database, signal: AbortSignal): Promise<number> {
  return forEachTenant(
    database,
    signal,
    async ({ id: tenantId }) => {
      await database.transaction({ tenantId }, (tx) => tx.run(beginGeneration, { tenantId }));
      return 1;
    },
    EVERY_STATUS,
  );
}

interface Marked {
  readonly database: Database;
  readonly log: Log;
  readonly dataDir: string;
}

const markerFile = (dataDir: string): string => join(dataDir, 'feed-marker');

/**
 * Compares the database with the marker in the data directory. If the marker is ahead of the database, events were
 * lost, so all cursors end; a missing or damaged marker proves nothing. Then moves the marker to the position of the
 * database. Returns the number of tenants whose cursors have ended.
 */
export async function checkFeedMarker({ database, log, dataDir }: Marked, signal: AbortSignal): Promise<number> {
  const marked = readMarker(dataDir);
  const found = await readPositions(database);
  if (marked === null || marked <= found) {
    if (marked !== found) writeMarker(dataDir, found);
    return 0;
  }
  log.warn({}, 'the database is older than the feeds were before: it was restored, so all cursors of the feeds end');
  const tenants = await endAllCursors(database, signal);
  if (!signal.aborted) writeMarker(dataDir, await readPositions(database));
  return tenants;
}

async function readPositions(database: Database): Promise<bigint> {
  const [row] = await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(sumOfPositions, {}));
  return BigInt(row!.sum);
}

function readMarker(dataDir: string): bigint | null {
  try {
    return BigInt(readFileSync(markerFile(dataDir), 'utf8').trim());
  } catch {
    return null;
  }
}

/** Replaces the file as a whole, so that a crash leaves the old one or the new one. */
function writeMarker(dataDir: string, positions: bigint): void {
  const next = `${markerFile(dataDir)}.next`;
  writeFileSync(next, `${positions}\n`);
  renameSync(next, markerFile(dataDir));
}
