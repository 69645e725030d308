/**
 * Produces the bytes of an export of the audit log, part by part. Called by exports.ts (to measure and to download) and
 * by trail.ts. The same export must always give the same bytes, because its size is announced before it is sent; so the
 * boundaries of the parts are fixed. No connection is held between parts.
 */
import { checkpointsBetween } from '../../audit/checkpoint-store.ts';
import { checkpointLine, eventLine, headerLine, type LineProof } from '../../audit/export-lines.ts';
import { inclusionPath } from '../../audit/merkle.ts';
import type { AuditRow } from '../../audit/store.ts';
import { subtreeHashes } from '../../audit/tree.ts';
import { csvLine } from '../../base/csv.ts';
import type { Ed25519Jwk } from '../../base/ed25519.ts';
import type { Database, Transaction } from '../../database/index.ts';
import { checkpointToWire, eventToWire, hex } from './events.ts';
import type { ExportRow } from './export-store.ts';
import { listEvents } from './store.ts';

/** Number of events that are read and held in memory at once. With proofs, each event adds some twenty hashes. */
const WINDOW = 1_000;
export const WINDOW_WITH_PROOFS = 250;

/**
 * Part of an export. Parts always have the same boundaries, so that an export has the same bytes whenever it is read.
 */
export interface ExportPart {
  readonly text: string;
  readonly events: number;
  /** Sequence up to which the log was read. */
  readonly position: number;
}

/** Returns whether an export contains the whole log and not a selection. */
export function isWholeLog({ filter, environments, firstSequence }: ExportRow): boolean {
  return Object.keys(filter).length === 0 && environments.length === 2 && firstSequence === 1;
}

export async function partAfter(
  tx: Transaction,
  row: ExportRow,
  position: number,
  publicKey: Ed25519Jwk,
): Promise<ExportPart> {
  const { firstSequence, lastSequence, includeProofs } = row;
  const isFirst = position < firstSequence;
  const to = Math.max(position, Math.min(lastSequence, position + (includeProofs ? WINDOW_WITH_PROOFS : WINDOW)));
  const rows = to === position ? [] : await eventsBetween(tx, row, position + 1, to);
  const header = isFirst ? [headerOf(row, publicKey)] : [];
  const lines = row.format === 'csv' ? rows.map(eventCsvLine) : await ndjsonLines(tx, row, rows, { position, to });
  return { text: [...header, ...lines].join(''), events: rows.length, position: to };
}

function headerOf(row: ExportRow, publicKey: Ed25519Jwk): string {
  if (row.format === 'csv') return CSV_HEADER;
  return headerLine(row.tenantId, [{ ...publicKey }], isWholeLog(row) ? undefined : row.filter);
}

/**
 * Yields the file, which is read from the log while it is sent. No connection is held between parts, even for slow
 * readers.
 */
export async function* contentOf(database: Database, row: ExportRow, publicKey: Ed25519Jwk): AsyncGenerator<string> {
  let position = row.firstSequence - 1;
  do {
    const part = await database.transaction({ tenantId: row.tenantId, readOnly: true }, (tx) =>
      partAfter(tx, row, position, publicKey),
    );
    ({ position } = part);
    if (part.text !== '') yield part.text;
  } while (position < row.lastSequence);
}

function eventsBetween(
  tx: Transaction,
  { tenantId, filter, environments }: ExportRow,
  fromSequence: number,
  toSequence: number,
): Promise<AuditRow[]> {
  const { action = [], actorId, actorType, resourceType, resourceId, outcome, environment, from, to } = filter;
  return listEvents(tx, {
    tenantId,
    actions: action,
    actorId,
    actorType,
    resourceType,
    resourceId,
    outcome,
    from: instant(from),
    to: instant(to),
    fromSequence,
    toSequence,
    environments: environments.filter((one) => environment === undefined || one === environment),
    newestFirst: false,
    after: null,
    count: toSequence - fromSequence + 1,
  });
}

const instant = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

/**
 * Returns the lines of events and checkpoints. In an export of the whole log, each checkpoint follows the events that
 * it signs. An export of a selection ends with the one checkpoint to which its proofs lead.
 */
async function ndjsonLines(
  tx: Transaction,
  row: ExportRow,
  rows: readonly AuditRow[],
  { position, to }: { readonly position: number; readonly to: number },
): Promise<string[]> {
  const treeSize = row.treeSize!;
  const proofs = row.includeProofs ? await proofsOf(tx, rows, treeSize) : [];
  const [first, last] = isWholeLog(row) ? [position + 1, to] : [treeSize, treeSize];
  const hasCheckpoints = isWholeLog(row) || to >= row.lastSequence;
  const checkpoints = hasCheckpoints ? await checkpointsBetween(tx, row.tenantId, first, last) : [];
  return [
    ...rows.map((event, index) => eventLine(eventToWire(event), proofs[index])),
    ...checkpoints.map((checkpoint) => checkpointLine(checkpointToWire(checkpoint))),
  ];
}

export async function proofsOf(tx: Transaction, rows: readonly AuditRow[], treeSize: number): Promise<LineProof[]> {
  const paths = rows.map(({ sequence }) => inclusionPath(sequence - 1, treeSize));
  // Reads each hash once, because neighbouring events share most of their paths.
  const subtrees = new Map(paths.flat().map((leaves) => [leaves.join(), leaves]));
  const hashes = await subtreeHashes(tx, tx.tenantId!, [...subtrees.values()]);
  const found = new Map([...subtrees.keys()].map((key, index) => [key, hashes[index]!]));
  return paths.map((path) => ({ treeSize, path: path.map((leaves) => hex(found.get(leaves.join())!)) }));
}

const COLUMNS: Readonly<Record<string, (event: ReturnType<typeof eventToWire>) => unknown>> = {
  sequence: (event) => event.sequence,
  id: (event) => event.id,
  occurredAt: (event) => event.occurredAt,
  environment: (event) => event.environment,
  actorType: ({ actor }) => actor.type,
  actorId: ({ actor }) => actor.id,
  actor: ({ actor }) => actor.display,
  impersonatorId: ({ actor }) => actor.impersonatorId,
  action: (event) => event.action,
  resourceType: ({ resource }) => resource.type,
  resourceId: ({ resource }) => resource.id,
  outcome: (event) => event.outcome,
  reason: (event) => event.reason,
  requestId: (event) => event.requestId,
  ip: (event) => event.ip,
  userAgent: (event) => event.userAgent,
  changes: (event) => event.changes,
  sealedRef: (event) => event.sealedRef,
  prevHash: (event) => event.prevHash,
  hash: (event) => event.hash,
};

const CSV_HEADER = csvLine(Object.keys(COLUMNS));

function eventCsvLine(row: AuditRow): string {
  const event = eventToWire(row);
  return csvLine(Object.values(COLUMNS).map((column) => column(event)));
}
