/**
 * Carries out an order about watch lists: import, roll back, preview, status. Called by the command. Works on the
 * database directly; a refused file changes nothing.
 */
import { userInfo } from 'node:os';
import { readConfig } from '../../server/base/config.ts';
import { loadSecrets } from '../../server/base/secrets.ts';
import type { Database } from '../../server/database/index.ts';
import {
  activeVersions,
  deltaOf,
  importList,
  isPublicationOld,
  type ImportOrder,
  type ListFiles,
  type ListVersion,
  rollBack,
  WATCH_LISTS,
  type WatchListId,
  watchListOf,
} from '../../server/modules/watch-lists/index.ts';
import { type PreviewedChange, previewList, previewRelease } from '../../server/modules/screenings/index.ts';
import { openServiceDatabase } from '../service-database.ts';

export type Order =
  | { readonly command: 'status' }
  | { readonly command: 'preview-release' }
  | { readonly command: 'changes'; readonly listId: WatchListId }
  | { readonly command: 'roll-back'; readonly listId: WatchListId; readonly version: string }
  | ({ readonly command: 'preview'; readonly listId: WatchListId } & ListFiles)
  | ({ readonly command: 'import' } & Omit<ImportOrder, 'environment' | 'by' | 'now'>);

class NothingThere extends Error {
  override readonly name = 'NothingThere';
}

/** Runs the order on the database that the environment names; returns the exit status. */
export async function carryOut(order: Order, env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const config = readConfig(env);
  const database = await openServiceDatabase(config, loadSecrets(config));
  try {
    return await work(order, database);
  } finally {
    await database.close();
  }
}

async function work(order: Order, database: Database): Promise<number> {
  const by = {
    type: 'system',
    id: 'command_line',
    display: `Command line (${userInfo().username})`.slice(0, 120),
  } as const;
  const now = new Date();
  if (order.command === 'status')
    return status(await database.platform({ tenantId: null }, (tx) => activeVersions(tx, 'live')), now);
  if (order.command === 'changes') return changes(database, order.listId);
  if (order.command === 'preview') return preview((tell) => previewList(database, order, now, tell));
  if (order.command === 'preview-release') return preview((tell) => previewRelease(database, now, tell));
  if (order.command === 'roll-back') {
    const restored = await rollBack(database, {
      environment: 'live',
      ...order,
      by,
      now,
    });
    if (restored === null) throw new NothingThere(`There is no version ${order.version} of ${order.listId}.`);
    console.log(told(restored));
    return 0;
  }
  const begun = performance.now();
  const { outcome, version } = await importList(
    database,
    {
      environment: 'live',
      ...order,
      by,
      now,
    },
    (entities) => console.error(`${entities} entities …`),
  );
  console.log(
    outcome === 'unchanged'
      ? `${version.listId}: ${version.version} is active already`
      : `${told(version)}, in ${((performance.now() - begun) / 1000).toFixed(1)} s`,
  );
  for (const line of leftOut(version)) console.log(line);
  return 0;
}

async function preview(run: (tell: (change: PreviewedChange) => void) => Promise<number>): Promise<number> {
  const count = { new: 0, lost: 0, changed: 0 };
  const score = (value: number | null): string => value?.toFixed(3) ?? '–';
  const screened = await run(({ what, tenantId, screeningId, listId, entityKey, entityName, before, after }) => {
    count[what]++;
    console.log(
      `${what.padEnd(8)} ${score(before).padStart(5)} → ${score(after).padStart(5)}  tenant ${tenantId}, ` +
        `screening ${screeningId}, ${listId} ${entityKey} ${entityName}`,
    );
  });
  console.log(`${screened} screened: ${count.new} new hits, ${count.lost} lost, ${count.changed} with another score`);
  return 0;
}

function told({ listId, version, entryCount, added, changed, matchChanged, removed }: ListVersion): string {
  return (
    `${listId}: ${version} is active, with ${entryCount} entries: ${added} new, ${changed} changed (${matchChanged} ` +
    `of them in what names are judged by), ${removed} gone`
  );
}

/** Returns the names that could not be used. */
function leftOut({ quarantinedNames, quarantine }: ListVersion): string[] {
  if (quarantinedNames === 0) return [];
  const told = quarantine.map(
    ({ entityId, record, reason, name }) =>
      `  ${reason.replace('_', ' ')}: ${JSON.stringify(name)} of ${entityId}, ${record}`,
  );
  return [
    `${quarantinedNames} names cannot be used and are left out of their ` +
      `entries${quarantinedNames > quarantine.length ? `, of which these are the first ${quarantine.length}` : ''}:`,
    ...told,
  ];
}

function status(active: readonly ListVersion[], now: Date): number {
  let isAnyStale = false;
  for (const listId of Object.keys(WATCH_LISTS) as WatchListId[]) {
    const version = active.find((one) => one.listId === listId);
    const { isMandatory, staleAfterHours, usualDays } = watchListOf(listId);
    if (version === undefined) {
      isAnyStale ||= isMandatory;
      console.log(`${listId.padEnd(18)} never imported${isMandatory ? ' (mandatory)' : ''}`);
      continue;
    }
    const hours = Math.floor((now.getTime() - Date.parse(version.checkedAt)) / 3_600_000);
    const isStale = staleAfterHours !== null && hours >= staleAfterHours;
    isAnyStale ||= isStale;
    const { publishedOn, quarantinedNames } = version;
    const old = isPublicationOld(version, now)
      ? `, published ${publishedOn}, longer ago than the usual ${usualDays} days`
      : '';
    const warnings = `${old}${quarantinedNames > 0 ? `, ${quarantinedNames} names left out` : ''}`;
    console.log(
      `${listId.padEnd(18)} ${version.version.padEnd(22)} ${String(version.entryCount).padStart(8)} entries, ` +
        `looked at ${hours} h ago${isStale ? ` (out of date after ${staleAfterHours} h)` : ''}${warnings}`,
    );
  }
  return isAnyStale ? 4 : 0;
}

function fateOf(before: unknown, after: unknown, isMatchRelevant: boolean): string {
  if (before === null) return 'new';
  if (after === null) return 'gone';
  return isMatchRelevant ? 'changed' : 'changed in remarks only';
}

async function changes(database: Database, listId: WatchListId): Promise<number> {
  return database.platform({ tenantId: null, readOnly: true }, async (tx) => {
    const active = (await activeVersions(tx, 'live')).find((one) => one.listId === listId);
    if (active === undefined) throw new NothingThere(`No version of ${listId} was imported.`);
    for await (const { key, before, after, isMatchRelevant } of deltaOf(
      tx,
      { environment: 'live', listId },
      active.sequence,
    )) {
      const what = fateOf(before, after, isMatchRelevant);
      console.log(`${what.padEnd(23)} ${key}  ${(after ?? before)!.names[0]!.name}`);
    }
    return 0;
  });
}
