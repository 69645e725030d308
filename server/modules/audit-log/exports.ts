/**
 * Exports of the audit log: ordering, the task that reads the range once, reading the status, and the download. Called
 * by the handlers; the task is registered by the index. An export waits for a checkpoint that signs its range, fails if
 * the log cannot be signed, and ends after seven days. A caller who does not see an environment of it gets 404.
 */
import { Readable } from 'node:stream';
import { type Checkpoint, CheckpointSigner } from '../../audit/checkpoint.ts';
import { newestCheckpoint } from '../../audit/checkpoint-store.ts';
import { DAY_MILLISECONDS, readInstant, type RealTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type Environment } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import type { JobServices } from '../../tasks/job.ts';
import { enqueueTask, type TaskKind } from '../../tasks/task.ts';
import { type CheckpointDependencies, CheckpointService } from './checkpoints.ts';
import { assertNarrow } from './events.ts';
import { contentOf, isWholeLog, partAfter } from './export-content.ts';
import { advanceExport, type ExportRow, failExport, findExport, insertExport, signExport } from './export-store.ts';
import { placesBetween } from './store.ts';

type Schemas = components['schemas'];

const MOST_PLACES = 1_000_000;
const KEPT_MILLISECONDS = 7 * DAY_MILLISECONDS;
const RETRY_SECONDS = 2;

/** Reads the exported part of the log once, to verify that it is complete and to measure the size of the file. */
export const auditExportTask: TaskKind<JobServices & CheckpointDependencies> = {
  name: 'audit.export',
  async step({ tx, subjectId, now }, services) {
    const row = (await findExport(tx, subjectId))!;
    if (row.format === 'ndjson' && row.treeSize === null) return sign(tx, row, new CheckpointService(services), now);
    const part = await partAfter(tx, row, row.position, new CheckpointSigner(services.secrets).publicKey);
    const isDone = part.position >= row.lastSequence;
    advanceExport(tx, row.id, {
      position: part.position,
      events: part.events,
      bytes: Buffer.byteLength(part.text),
      status: isDone ? 'ready' : 'running',
      readyAt: isDone ? now : null,
    });
    return isDone ? null : 0;
  },
  giveUp: async ({ tx, subjectId }) => failExport(tx, subjectId),
};

/** Finds or makes the checkpoint that signs the export. Returns the milliseconds until the task should run again. */
async function sign(tx: Transaction, row: ExportRow, checkpointing: CheckpointService, now: RealTime): Promise<number> {
  const covers = (checkpoint: Checkpoint | null): checkpoint is Checkpoint =>
    checkpoint !== null && checkpoint.treeSize >= row.lastSequence;
  const newest = await newestCheckpoint(tx, row.tenantId);
  const wait = covers(newest) ? 0 : checkpointing.waitFor(newest, now);
  if (wait > 0) return wait;
  const checkpoint = covers(newest) ? newest : await checkpointing.onDemand(row.tenantId, newest, now);
  if (checkpoint === null) throw new Error('the log cannot be signed');
  // A checkpoint signs a long backlog only in part, so the next one is needed.
  if (!covers(checkpoint)) return checkpointing.waitFor(checkpoint, now);
  signExport(tx, row.id, {
    treeSize: checkpoint.treeSize,
    lastSequence: isWholeLog(row) ? checkpoint.treeSize : row.lastSequence,
  });
  return 0;
}

type Order = Pick<Context<'createAuditExport'>, 'tx' | 'principal' | 'visible' | 'body' | 'now'>;

export async function orderExport({ tx, principal, visible, body, now }: Order): Promise<Schemas['AuditExport']> {
  const { tenantId } = principal;
  const { format, includeProofs = false, filter: wanted = {} } = body;
  const [from, to] = [instantOf(wanted.from), instantOf(wanted.to)];
  const errors = faultsOf(body, from, to);
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  const filter = { ...wanted, ...(from && { from: from.toISOString() }), ...(to && { to: to.toISOString() }) };
  if (filter.resourceId === undefined && filter.fromSequence === undefined) assertNarrow(from, to, now);
  const { first, last } = await placesBetween(tx, tenantId, {
    from,
    to,
    fromSequence: filter.fromSequence,
    toSequence: filter.toSequence,
  });
  if (last - first >= MOST_PLACES)
    throw new Problem('range_too_wide', {
      detail: 'At most 1,000,000 events of the log: set `fromSequence` and `toSequence`.',
    });
  const row = await insertExport(tx, {
    tenantId,
    id: uuidv7(),
    format,
    includeProofs,
    filter,
    environments: [...visible],
    firstSequence: first,
    lastSequence: last,
    position: first - 1,
    createdAt: now,
    createdBy: actorOf(principal),
  });
  if (row === null) throw new Problem('export_running', { retryable: true, retryAfter: RETRY_SECONDS });
  enqueueTask(tx, auditExportTask, row.id, now);
  return toWire(row);
}

/** Returns undefined for an invalid instant, and for one whose year in UTC does not have four digits. */
function instantOf(text: string | undefined): Date | undefined {
  const instant = text === undefined ? null : readInstant(text);
  return instant === null || !/^\d/.test(instant.toISOString()) ? undefined : instant;
}

function faultsOf(
  { format, includeProofs = false, filter = {} }: Schemas['AuditExportCreate'],
  from: Date | undefined,
  to: Date | undefined,
): FieldError[] {
  const { fromSequence = 1, toSequence = fromSequence } = filter;
  return [
    ...(includeProofs && format === 'csv'
      ? [{ pointer: '/includeProofs', code: 'invalid', message: 'must be false in CSV, which has no place for proofs' }]
      : []),
    ...Object.entries({ from, to })
      .filter(([name, instant]) => name in filter && instant === undefined)
      .map(([name]) => ({ pointer: `/filter/${name}`, code: 'format', message: 'must be a timestamp as in RFC 3339' })),
    ...(from !== undefined && to !== undefined && from > to
      ? [{ pointer: '/filter/to', code: 'minimum', message: 'must not be before from' }]
      : []),
    ...(fromSequence > toSequence
      ? [{ pointer: '/filter/toSequence', code: 'minimum', message: 'must not be less than fromSequence' }]
      : []),
  ];
}

interface Reader {
  readonly tx: Transaction;
  readonly visible: readonly Environment[];
  readonly now: RealTime;
}

/** Finds an export. Throws a 404 problem if the export contains events that the caller does not see. */
async function shownExport({ tx, visible, now }: Reader, id: string): Promise<ExportRow> {
  const row = await findExport(tx, id);
  if (row === null || !row.environments.every((environment) => visible.includes(environment)))
    throw new Problem('not_found');
  if (row.readyAt !== null && expiryOf(row.readyAt) <= now) throw new Problem('export_expired');
  return row;
}

export async function readExport(reader: Reader, id: string): Promise<Schemas['AuditExport']> {
  return toWire(await shownExport(reader, id));
}

const MEDIA_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

export async function downloadExport(reader: Reader, id: string, { database, secrets }: CheckpointDependencies) {
  const row = await shownExport(reader, id);
  if (row.status === 'running') throw new Problem('export_not_ready', { retryable: true, retryAfter: RETRY_SECONDS });
  if (row.status === 'failed') throw new Problem('export_not_ready', { detail: 'The export failed.' });
  return {
    content: {
      type: MEDIA_TYPES[row.format],
      data: Readable.from(contentOf(database, row, new CheckpointSigner(secrets).publicKey), { objectMode: false }),
      size: row.sizeBytes,
    },
    disposition: `attachment; filename="audit-log-${row.createdAt.slice(0, 10)}.${row.format}"`,
  };
}

const expiryOf = (readyAt: string): Date => new Date(Date.parse(readyAt) + KEPT_MILLISECONDS);

function toWire({
  id,
  status,
  format,
  includeProofs,
  filter,
  firstSequence,
  lastSequence,
  position,
  eventCount,
  sizeBytes,
  createdAt,
  createdBy,
  readyAt,
}: ExportRow): Schemas['AuditExport'] {
  const [read, all] = [position - firstSequence + 1, lastSequence - firstSequence + 1];
  return {
    id,
    status,
    format,
    includeProofs,
    filter,
    progressPercent: status === 'ready' ? 100 : Math.floor((100 * read) / Math.max(all, 1)),
    eventCount: status === 'ready' ? eventCount : null,
    sizeBytes: status === 'ready' ? sizeBytes : null,
    createdAt,
    createdBy,
    readyAt,
    expiresAt: readyAt === null ? null : expiryOf(readyAt).toISOString(),
  };
}
