/**
 * Walks over a range of a log event by event and compares it with the stored tree and checkpoints. Used by verification
 * and by making checkpoints. It yields to the event loop, because a long walk would block all requests.
 */
import { setImmediate } from 'node:timers/promises';
import type { Transaction } from '../database/transaction.ts';
import { checkRow } from './chain.ts';
import { checkpointHash, type CheckpointSigner, isGenuine } from './checkpoint.ts';
import { checkpointsBetween, type StoredCheckpoint } from './checkpoint-store.ts';
import type { Frontier, HashedNode } from './merkle.ts';
import { type AuditRow, readRows } from './store.ts';
import { findNodesBetween } from './tree-store.ts';

const BLOCKING_MILLISECONDS = 4;

/**
 * Keeps a long computation from blocking requests. The returned function is called often: it returns null while the
 * computation has run for only a few milliseconds, and then a promise that resolves after one turn of the event loop.
 */
export function eventLoopYielder(): () => Promise<void> | null {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < BLOCKING_MILLISECONDS) return null;
    return setImmediate().then(() => void (startedAt = performance.now()));
  };
}

/** A range of events with the nodes and checkpoints that are stored for it. */
export interface LogWindow {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly AuditRow[];
  /** Interior nodes whose last leaf lies in the window, by `nodeKey`. */
  readonly nodes: ReadonlyMap<string, Buffer>;
  /** Checkpoints by the number of events that they cover. */
  readonly checkpoints: ReadonlyMap<number, StoredCheckpoint>;
}

const nodeKey = ({ level, index }: Pick<HashedNode, 'level' | 'index'>): string => `${level}/${index}`;

export async function readWindow(tx: Transaction, tenantId: string, from: number, to: number): Promise<LogWindow> {
  const spans = completedBetween(from, to);
  const [rows, nodes, checkpoints] = await Promise.all([
    readRows(tx, tenantId, from, to),
    tx.run(findNodesBetween, {
      tenantId,
      levels: spans.map(({ level }) => String(level)),
      lows: spans.map(({ low }) => String(low)),
      highs: spans.map(({ high }) => String(high)),
    }),
    checkpointsBetween(tx, tenantId, from, to),
  ]);
  return {
    from,
    to,
    rows,
    nodes: new Map(nodes.map((node) => [nodeKey(node), node.hash])),
    checkpoints: new Map(checkpoints.map((checkpoint) => [checkpoint.treeSize, checkpoint])),
  };
}

/** Returns the interior nodes that the `from`-th to the `to`-th leaf complete, by level. */
function completedBetween(from: number, to: number): { level: number; low: number; high: number }[] {
  const spans = [];
  for (let level = 1, width = 2; width <= to; level++, width *= 2) {
    const [low, high] = [Math.floor((from - 1) / width), Math.floor(to / width) - 1];
    if (low <= high) spans.push({ level, low, high });
  }
  return spans;
}

export type FailureKind = 'gap' | 'hash_mismatch' | 'link_broken' | 'root_mismatch' | 'checkpoint_mismatch';

export interface Failure {
  readonly sequence: number;
  readonly kind: FailureKind;
  /** One sentence for people. */
  readonly detail: string;
}

export interface TrustedRoot {
  readonly treeSize: number;
  readonly rootHash: Buffer;
}

/** Initial state of a walk: after the event before the range. */
export interface WalkStart {
  readonly frontier: Frontier;
  readonly hash: Buffer;
  readonly previousCheckpoint: Buffer | null;
}

interface WalkReferences {
  readonly signer: CheckpointSigner;
  /** Number of events whose interior nodes must be stored. */
  readonly covered: number;
  readonly trusted: TrustedRoot | null;
}

const ROW_DETAILS = {
  gap: 'The event is missing.',
  link_broken: 'The event does not continue the one before it.',
  hash_mismatch: 'The event is not what was hashed.',
} as const;

/**
 * Reads a log event by event and compares it with its tree, its checkpoints and the checkpoint that the caller trusts.
 */
export class LogWalk {
  readonly #frontier: Frontier;
  readonly #references: WalkReferences;
  #hash: Buffer;
  #previousCheckpoint: Buffer | null;
  #pending: Failure | null = null;
  #checked = 0;
  #checkpoints = 0;

  constructor({ frontier, hash, previousCheckpoint }: WalkStart, references: WalkReferences) {
    this.#frontier = frontier;
    this.#hash = hash;
    this.#previousCheckpoint = previousCheckpoint;
    this.#references = references;
  }

  get checked(): number {
    return this.#checked;
  }

  /** Number of confirmed checkpoints. */
  get checkpoints(): number {
    return this.#checkpoints;
  }

  /** Hash of the last event. */
  get hash(): Buffer {
    return this.#hash;
  }

  /**
   * Mismatch between a stored node and the events. The next checkpoint shows whether the tree or the events were
   * changed, so the mismatch becomes the first failure only if a checkpoint has confirmed the events, or if no
   * checkpoint follows.
   */
  get pending(): Failure | null {
    return this.#pending;
  }

  async through({ from, to, rows, nodes, checkpoints }: LogWindow): Promise<Failure | null> {
    const yieldToRequests = eventLoopYielder();
    for (let sequence = from; sequence <= to; sequence++) {
      const row = rows[sequence - from];
      const kind = checkRow(row, sequence, this.#hash);
      if (row === undefined || kind !== null)
        return { sequence, kind: kind ?? 'gap', detail: ROW_DETAILS[kind ?? 'gap'] };
      this.#hash = row.hash;
      this.#checked += 1;
      for (const node of this.#frontier.append(row.hash)) {
        if (sequence > this.#references.covered || nodes.get(nodeKey(node))?.equals(node.hash) === true) continue;
        this.#pending ??= { sequence, kind: 'root_mismatch', detail: 'The stored tree is not the one of the events.' };
      }
      const checkpoint = checkpoints.get(sequence);
      const failure = (checkpoint === undefined ? null : this.#compare(checkpoint)) ?? this.#compareTrusted(sequence);
      if (failure !== null) return failure;
      await yieldToRequests();
    }
    return null;
  }

  #compare(checkpoint: StoredCheckpoint): Failure | null {
    const wrong = (detail: string): Failure => ({ sequence: checkpoint.treeSize, kind: 'checkpoint_mismatch', detail });
    const hash = checkpointHash(checkpoint);
    if (!isGenuine(checkpoint, this.#references.signer)) return wrong('The checkpoint was not signed by this service.');
    if (!checkpoint.hash.equals(hash)) return wrong('The checkpoint is stored under a hash that is not its own.');
    if (!sameOrNull(checkpoint.previousHash, this.#previousCheckpoint))
      return wrong('The checkpoint does not continue the one before it.');
    if (!checkpoint.rootHash.equals(this.#frontier.root()))
      return wrong('The events are not those that the checkpoint signed.');
    if (!checkpoint.headHash.equals(this.#hash)) return wrong('The checkpoint signed another last event.');
    this.#previousCheckpoint = hash;
    this.#checkpoints += 1;
    return this.#pending;
  }

  #compareTrusted(sequence: number): Failure | null {
    const { trusted } = this.#references;
    return trusted?.treeSize !== sequence || trusted.rootHash.equals(this.#frontier.root())
      ? null
      : notAsTrusted(sequence);
  }
}

export function notAsTrusted(sequence: number): Failure {
  return { sequence, kind: 'checkpoint_mismatch', detail: 'The log does not continue the trusted checkpoint.' };
}

function sameOrNull(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
