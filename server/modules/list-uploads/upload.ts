/**
 * Imports an uploaded watch list, or stores it as a proposal. Called by the handler. Refuses at once while another
 * import runs (`import_running`), because waiting would occupy a connection. An unreadable or implausible file is
 * refused with the faulty part, and the active version stays.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { tryLockUntilCommit } from '../../database/advisory-lock.ts';
import type { Context } from '../../request/handler.ts';
import { UPLOAD_BOUNDS } from '../../screening/sources/list-bounds.ts';
import { dayInName } from '../../screening/sources/source-file.ts';
import {
  type Candidate,
  factsOf,
  importFiles,
  isWatchList,
  keepBeforeImport,
  type ListVersion,
  refusalOf,
  SuspiciousShrink,
  tryLockList,
  undoImport,
  type WatchListId,
  watchListOf,
} from '../watch-lists/index.ts';
import { proposalShown } from './present.ts';
import { confirm, propose } from './proposals.ts';

type WatchListImport = components['schemas']['WatchListImport'];
type Upload = Pick<Context<'uploadWatchList'>, 'tx' | 'principal' | 'body' | 'files' | 'now' | 'signal' | 'audit'>;

/** Returns the list that a path names. Throws a 404 problem if the list does not exist. */
export function listIn(id: string): WatchListId {
  if (!isWatchList(id)) throw new Problem('not_found');
  return id;
}

/**
 * Locks out other imports and verdicts until the transaction ends. Other requests are refused and do not wait, because
 * a waiting request would occupy a connection that tenants need.
 */
export async function lockImports(tx: Transaction, listId: WatchListId): Promise<void> {
  const isLocked =
    (await tryLockUntilCommit(tx, 'upload of lists', 'live')) &&
    (await tryLockList(tx, { environment: 'live', listId }));
  if (!isLocked) throw new Problem('import_running');
}

/**
 * Activates an uploaded version of the list, or stores it as a proposal until a second administrator uploads it too.
 */
export async function upload(ctx: Upload, listId: WatchListId): Promise<WatchListImport> {
  const { tx, body, audit } = ctx;
  const resource = { type: 'screening_list', id: listId } as const;
  assertOfList(listId, ctx);
  await lockImports(tx, listId);
  await keepBeforeImport(tx);
  try {
    const { outcome, version } = await imported(ctx, listId);
    if (outcome === 'activated') audit('list.version_ingested', resource, factsOf(version));
    else audit('list.version_checked', resource, { version: version.version, sha256: version.sha256 });
    return shown(outcome, version);
  } catch (error) {
    if (!(error instanceof SuspiciousShrink) || body.force !== 'true') throw refusalOf(error);
    const { candidate } = error;
    await undoImport(tx);
    const replaced = await propose(tx, listId, {
      candidate,
      format: body.format,
      by: ctx.principal,
      now: ctx.now,
    });
    audit('list.version_proposed', resource, factsOf(candidate));
    return {
      ...shown('pending_review', candidate),
      ...(replaced !== null && { replacedProposal: proposalShown(replaced) }),
    };
  }
}

/** Rejects a format in which the list is not published, and additional files in a format that has only one. */
function assertOfList(listId: WatchListId, { body: { format }, files }: Pick<Upload, 'body' | 'files'>): void {
  const { formats } = watchListOf(listId);
  const errors: FieldError[] = [];
  if (!formats.includes(format))
    errors.push({
      pointer: '/format',
      code: 'enum',
      message: `must be ${formats.join(' or ')}, in which this list is published`,
    });
  for (const part of ['alt', 'comments', 'add'] as const) {
    if (files[part] !== undefined && format !== 'ofac-csv')
      errors.push({ pointer: `/${part}`, code: 'unexpected', message: 'must be left out: this format has one file' });
  }
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

async function imported(
  { tx, principal, body: { format, version, publishedOn, sha256, mayBeOlder, force }, files, now, signal }: Upload,
  listId: WatchListId,
): ReturnType<typeof importFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'watch-list-'));
  try {
    for (const [part, { bytes }] of Object.entries(files)) await writeFile(join(folder, part), bytes);
    const others = Object.keys(files)
      .filter((part) => part !== 'file')
      .map((part) => [part, join(folder, part)]);
    return await importFiles(tx, {
      environment: 'live',
      listId,
      format,
      files: { ...Object.fromEntries(others), main: join(folder, 'file') },
      version,
      publishedOn,
      sha256,
      by: actorOf(principal),
      now,
      signal,
      mayShrink: async (candidate) =>
        force === 'true' && (await confirm(tx, listId, { format, ...candidate }, { by: principal, now })),
      doubtsChanges: true,
      mayBeOlder: mayBeOlder === 'true',
      namedOn: dayInName(files.file.name),
      bounds: UPLOAD_BOUNDS,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function shown(
  outcome: WatchListImport['outcome'],
  {
    version,
    publishedOn,
    sha256,
    entryCount,
    added,
    changed,
    matchChanged,
    removed,
    quarantinedNames,
    quarantine,
  }: ListVersion | Candidate,
): WatchListImport {
  return {
    outcome,
    version,
    publishedOn,
    sha256,
    entryCount,
    change: {
      added,
      changed,
      matchChanged,
      removed,
    },
    quarantinedNames,
    quarantine: [...quarantine],
  };
}
