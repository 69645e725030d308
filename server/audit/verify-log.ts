/**
 * Verifies a stored log against every record about it. Called by the module audit-log. Reads in windows and returns the
 * first failure instead of throwing; throws only for a range that is too wide.
 */
import type { AuditChain, Transaction, TransactionOptions } from '../database/transaction.ts';
import { genesisHash } from './chain.ts';
import type { CheckpointSigner } from './checkpoint.ts';
import { checkpointsBetween, newestCheckpoint, type StoredCheckpoint } from './checkpoint-store.ts';
import { type AnnouncedCheckpoint, readAnnouncedCheckpoint } from './make-checkpoint.ts';
import { Frontier } from './merkle.ts';
import { type AuditHead, readHead, readLastSequence, readRows } from './store.ts';
import { storedFrontier } from './tree.ts';
import {
  type Failure,
  LogWalk,
  type LogWindow,
  notAsTrusted,
  readWindow,
  type TrustedRoot,
  type WalkStart,
} from './walk.ts';

export interface VerifyOptions {
  readonly tenantId: string;
  /** Which of the two logs of the tenant; the open one by default. */
  readonly auditChain?: AuditChain;
  readonly signer: CheckpointSigner;
  readonly fromSequence?: number | undefined;
  readonly toSequence?: number | undefined;
  /** Checkpoint that the caller has stored; the log must continue it. */
  readonly trusted?: TrustedRoot | undefined;
  readonly maxEvents: number;
}

export interface Verification {
  readonly firstFailure: Failure | null;
  /** Number of verified events. */
  readonly checked: number;
  readonly checkpointsChecked: number;
  readonly head: AuditHead;
  /** Number of events that the newest checkpoint covers. */
  readonly covered: number;
}

/** Thrown if the range has more events than one call may read. */
export class RangeTooWide extends Error {
  override readonly name = 'RangeTooWide';
}

type Read = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
interface Source {
  platform<T>(options: TransactionOptions, work: (tx: Transaction) => Promise<T>): Promise<T>;
}

const WINDOW = 200;

/**
 * Verifies a log, or a part of it, against all records about it: each hash and its link to the previous one, the stored
 * tree, the signed checkpoints, the head, the record in the platform's chain and a checkpoint that the caller has
 * stored. Events are read in windows, each in a transaction of its own, so that neither much memory nor a snapshot is
 * held for long.
 */
export async function verifyLog(database: Source, options: VerifyOptions): Promise<Verification> {
  const { tenantId, auditChain = 'open' } = options;
  const read: Read = (work) => database.platform({ tenantId, readOnly: true, auditChain }, work);
  const state = await read((tx) => readRecordedState(tx, tenantId));
  const { head } = state;
  const from = Math.min(options.fromSequence ?? 1, head.sequence + 1);
  const to = Math.min(options.toSequence ?? head.sequence, head.sequence);
  if (to - from >= options.maxEvents) throw new RangeTooWide(`${to - from + 1} events`);
  const covered = state.newest?.treeSize ?? 0;
  const start = await walkStartAt(read, tenantId, from, covered);
  if (!('frontier' in start))
    return {
      firstFailure: start,
      checked: 0,
      checkpointsChecked: 0,
      head,
      covered,
    };
  const walk = new LogWalk(start, { signer: options.signer, covered, trusted: options.trusted ?? null });
  const firstFailure =
    (await walkThrough(read, tenantId, walk, { from, to })) ??
    walk.pending ??
    ((options.toSequence ?? head.sequence) >= head.sequence ? endFailure(walk, state, from) : null) ??
    (await trustFailure(read, options, state, { from, to }));
  return {
    firstFailure,
    checked: walk.checked,
    checkpointsChecked: walk.checkpoints,
    head,
    covered,
  };
}

/** Verified events, from the first to the last. */
interface SequenceRange {
  readonly from: number;
  readonly to: number;
}

interface RecordedState {
  /** Record of the newest checkpoint in the platform's own chain. */
  readonly record: AnnouncedCheckpoint | null;
  /** Stored checkpoint of the same size. */
  readonly recorded: StoredCheckpoint | null;
  readonly newest: StoredCheckpoint | null;
  readonly lastSequence: number;
  readonly head: AuditHead;
}

/**
 * Reads the oldest kind of record first. If the log grows in the meantime, it is then ahead of its records, never
 * behind them.
 */
async function readRecordedState(tx: Transaction, tenantId: string): Promise<RecordedState> {
  const record = await readAnnouncedCheckpoint(tx, tenantId);
  const [recorded = null] =
    record === null ? [] : await checkpointsBetween(tx, tenantId, record.treeSize, record.treeSize);
  const newest = await newestCheckpoint(tx, tenantId);
  const lastSequence = await readLastSequence(tx, tenantId);
  return {
    record,
    recorded,
    newest,
    lastSequence,
    head: await readHead(tx, tenantId),
  };
}

/** Returns the state after the event before the range, or the reason why it cannot be computed. */
function walkStartAt(read: Read, tenantId: string, from: number, covered: number): Promise<WalkStart | Failure> {
  if (from === 1)
    return read((tx) =>
      Promise.resolve({
        frontier: new Frontier(),
        hash: genesisHash(tenantId, tx.auditChain),
        previousCheckpoint: null,
      }),
    );
  const sequence = from - 1;
  return read(async (tx): Promise<WalkStart | Failure> => {
    const [[before], checkpoint] = await Promise.all([
      readRows(tx, tenantId, sequence, sequence),
      newestCheckpoint(tx, tenantId, from),
    ]);
    if (before === undefined) return { sequence, kind: 'gap', detail: 'The event before the range is missing.' };
    const frontier = await storedFrontier(tx, tenantId, sequence, covered);
    if (frontier === null) return { sequence, kind: 'root_mismatch', detail: 'The stored tree is incomplete.' };
    return { frontier, hash: before.hash, previousCheckpoint: checkpoint?.hash ?? null };
  });
}

async function walkThrough(
  read: Read,
  tenantId: string,
  walk: LogWalk,
  { from, to }: SequenceRange,
): Promise<Failure | null> {
  const windowFrom = (first: number): Promise<LogWindow> | null => {
    if (first > to) return null;
    const window = read((tx) => readWindow(tx, tenantId, first, Math.min(to, first + WINDOW - 1)));
    // The next window is read ahead. If the walk ends before it, the window is not awaited, and its failure does not
    // matter.
    window.catch(() => {});
    return window;
  };
  let ahead = windowFrom(from);
  while (ahead !== null) {
    const window = await ahead;
    ahead = windowFrom(window.to + 1);
    const failure = await walk.through(window);
    if (failure !== null) return failure;
  }
  return null;
}

/** Checks that the log ends at its head and contains every event that was ever signed. */
function endFailure(
  walk: LogWalk,
  { head, lastSequence, newest, record, recorded }: RecordedState,
  from: number,
): Failure | null {
  const next = head.sequence + 1;
  if (from <= next && !walk.hash.equals(head.hash))
    return {
      sequence: head.sequence,
      kind: 'link_broken',
      detail: 'The head of the log does not continue its last event.',
    };
  if (lastSequence > head.sequence)
    return { sequence: next, kind: 'link_broken', detail: 'An event follows the head of the log.' };
  const signed = Math.max(newest?.treeSize ?? 0, record?.treeSize ?? 0);
  if (signed > head.sequence)
    return { sequence: next, kind: 'checkpoint_mismatch', detail: `The log is cut off: ${signed} events were signed.` };
  if (record !== null && recorded?.hash.toString('hex') !== record.checkpointHash) {
    return {
      sequence: record.treeSize,
      kind: 'checkpoint_mismatch',
      detail: 'The checkpoint in the platform’s own log is missing or another one.',
    };
  }
  return null;
}

/** Checks the caller's checkpoint if it lies outside the verified range. */
async function trustFailure(
  read: Read,
  { tenantId, trusted }: VerifyOptions,
  { head, newest }: RecordedState,
  { from, to }: SequenceRange,
): Promise<Failure | null> {
  if (trusted === undefined || (trusted.treeSize >= from && trusted.treeSize <= to)) return null;
  const { treeSize, rootHash } = trusted;
  if (treeSize > head.sequence)
    return {
      sequence: head.sequence + 1,
      kind: 'checkpoint_mismatch',
      detail: `The log is cut off: the trusted checkpoint has ${treeSize} events.`,
    };
  const frontier = await read((tx) => storedFrontier(tx, tenantId, treeSize, newest?.treeSize ?? 0));
  return frontier?.root().equals(rootHash) === true ? null : notAsTrusted(treeSize);
}
