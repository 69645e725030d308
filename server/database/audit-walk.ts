import { checkpointHash, isGenuine } from './audit-checkpoint.ts';
import type { StoredCheckpoint } from './audit-checkpoint-store.ts';
import { checkRow } from './audit-row.ts';
import type { CheckpointSigner } from './audit-signer.ts';
import { slices } from './audit-slice.ts';
import { nodeKey, type Window } from './audit-window.ts';
import type { Frontier } from './merkle-frontier.ts';

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

/** Where a walk begins: the state after the event before. */
export interface Start {
  readonly frontier: Frontier;
  readonly hash: Buffer;
  readonly previousCheckpoint: Buffer | null;
}

interface Measures {
  readonly signer: CheckpointSigner;
  /** For how many events the interior nodes must be stored. */
  readonly covered: number;
  readonly trusted: TrustedRoot | null;
}

const ROW_DETAILS = {
  gap: 'The event is missing.',
  link_broken: 'The event does not continue the one before it.',
  hash_mismatch: 'The event is not what was hashed.',
} as const;

/** Follows a log event by event and holds it against its tree, its checkpoints and what the caller trusts. */
export class Walk {
  readonly #frontier: Frontier;
  readonly #measures: Measures;
  #hash: Buffer;
  #previousCheckpoint: Buffer | null;
  #pending: Failure | null = null;
  #checked = 0;
  #checkpoints = 0;

  constructor({ frontier, hash, previousCheckpoint }: Start, measures: Measures) {
    this.#frontier = frontier;
    this.#hash = hash;
    this.#previousCheckpoint = previousCheckpoint;
    this.#measures = measures;
  }

  get checked(): number {
    return this.#checked;
  }

  /** Checkpoints that hold. */
  get checkpoints(): number {
    return this.#checkpoints;
  }

  /** Of the last event. */
  get hash(): Buffer {
    return this.#hash;
  }

  /**
   * A stored node that is not the one of the events. Whether the tree or the events were changed, the next checkpoint
   * tells: so this is the first failure only once a checkpoint has confirmed the events, or there is none.
   */
  get pending(): Failure | null {
    return this.#pending;
  }

  async through({ from, to, rows, nodes, checkpoints }: Window): Promise<Failure | null> {
    const give = slices();
    for (let sequence = from; sequence <= to; sequence++) {
      const row = rows[sequence - from];
      const kind = checkRow(row, sequence, this.#hash);
      if (row === undefined || kind !== null) return { sequence, kind: kind ?? 'gap', detail: ROW_DETAILS[kind ?? 'gap'] };
      this.#hash = row.hash;
      this.#checked += 1;
      for (const node of this.#frontier.append(row.hash)) {
        if (sequence > this.#measures.covered || nodes.get(nodeKey(node))?.equals(node.hash) === true) continue;
        this.#pending ??= { sequence, kind: 'root_mismatch', detail: 'The stored tree is not the one of the events.' };
      }
      const checkpoint = checkpoints.get(sequence);
      const failure = (checkpoint === undefined ? null : this.#compare(checkpoint)) ?? this.#compareTrusted(sequence);
      if (failure !== null) return failure;
      await give();
    }
    return null;
  }

  #compare(checkpoint: StoredCheckpoint): Failure | null {
    const wrong = (detail: string): Failure => ({ sequence: checkpoint.treeSize, kind: 'checkpoint_mismatch', detail });
    const hash = checkpointHash(checkpoint);
    if (!isGenuine(checkpoint, this.#measures.signer)) return wrong('The checkpoint was not signed by this service.');
    if (!checkpoint.hash.equals(hash)) return wrong('The checkpoint is stored under a hash that is not its own.');
    if (!sameOrNull(checkpoint.previousHash, this.#previousCheckpoint)) return wrong('The checkpoint does not continue the one before it.');
    if (!checkpoint.rootHash.equals(this.#frontier.root())) return wrong('The events are not those that the checkpoint signed.');
    if (!checkpoint.headHash.equals(this.#hash)) return wrong('The checkpoint signed another last event.');
    this.#previousCheckpoint = hash;
    this.#checkpoints += 1;
    return this.#pending;
  }

  #compareTrusted(sequence: number): Failure | null {
    const { trusted } = this.#measures;
    return trusted?.treeSize !== sequence || trusted.rootHash.equals(this.#frontier.root()) ? null : notAsTrusted(sequence);
  }
}

export function notAsTrusted(sequence: number): Failure {
  return { sequence, kind: 'checkpoint_mismatch', detail: 'The log does not continue the trusted checkpoint.' };
}

function sameOrNull(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
