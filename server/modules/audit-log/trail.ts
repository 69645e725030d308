/**
 * The events about given records with their proofs, for evidence packs of other modules (exported by the index as
 * `AuditTrail`). Throws `not_checkpointed_yet` if no checkpoint covers the changes of these records; the caller passes
 * this on, and the client retries.
 */
import type { RealTime } from '../../base/time.ts';
import { checkpointLine, eventLine, headerLine } from '../../audit/export-lines.ts';
import { newestCheckpoint } from '../../audit/checkpoint-store.ts';
import type { AuditRow } from '../../audit/store.ts';
import type { Checkpoint, CheckpointSigner } from '../../audit/checkpoint.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { type CheckpointDependencies, CheckpointService } from './checkpoints.ts';
import { checkpointToWire, eventToWire } from './events.ts';
import { proofsOf, WINDOW_WITH_PROOFS } from './export-content.ts';
import { listEvents } from './store.ts';

/** Selection of the events about given records, for readers who see these environments. */
export interface TrailOf {
  readonly tenantId: string;
  readonly resourceIds: readonly string[];
  readonly environments: readonly Environment[];
}

export type TrailDependencies = CheckpointDependencies;

/** Provides other modules with the events about given records and their proofs. */
export class AuditTrail {
  readonly #dependencies: CheckpointDependencies;
  readonly #checkpointing: CheckpointService;

  constructor(dependencies: CheckpointDependencies) {
    this.#dependencies = dependencies;
    this.#checkpointing = new CheckpointService(dependencies);
  }

  get signer(): CheckpointSigner {
    return this.#checkpointing.signer;
  }

  /**
   * Returns a checkpoint that covers all events up to now, or at least the events that changed something (`changes`
   * lists their actions). Throws if there is none yet. Later events need not be covered, because otherwise each reading
   * would have to wait until the audit event of the previous reading is signed.
   */
  async checkpoint(
    tx: Transaction,
    of: TrailOf,
    { changes, now }: { readonly changes: readonly string[]; readonly now: RealTime },
  ): Promise<Checkpoint> {
    const only = { newestFirst: true, count: 1 };
    const [[last], [change], newest] = await Promise.all([
      read(tx, of, only),
      read(tx, of, { ...only, actions: changes }),
      newestCheckpoint(tx, of.tenantId),
    ]);
    const covers = (checkpoint: Checkpoint | null, event: AuditRow | undefined): checkpoint is Checkpoint =>
      checkpoint !== null && checkpoint.treeSize >= (event?.sequence ?? 1);
    const signed = covers(newest, last)
      ? newest
      : ((await this.#checkpointing.onDemand(of.tenantId, newest, now)) ?? newest);
    if (!covers(signed, change)) throw this.#checkpointing.notCheckpointedYet(signed, now);
    return signed;
  }

  /** Yields the lines of an export up to a checkpoint. No connection is held between parts, even for slow readers. */
  async *lines(of: TrailOf, checkpoint: Checkpoint, filter: object): AsyncGenerator<string> {
    const { tenantId } = of;
    const { treeSize } = checkpoint;
    yield headerLine(tenantId, [{ ...this.#checkpointing.publicKey }], filter);
    for (let after: number | null = 0; after !== null; ) {
      const { rows, proofs } = await this.#dependencies.database.transaction(
        { tenantId, readOnly: true },
        async (tx) => {
          const rows = await read(tx, of, { after, toSequence: treeSize, count: WINDOW_WITH_PROOFS });
          return {
            rows,
            proofs: await this.#checkpointing.raisingAlarm(tenantId, checkpoint, () => proofsOf(tx, rows, treeSize)),
          };
        },
      );
      for (const [index, row] of rows.entries()) yield eventLine(eventToWire(row), proofs[index]);
      after = rows.length < WINDOW_WITH_PROOFS ? null : rows.at(-1)!.sequence;
    }
    yield checkpointLine(checkpointToWire(checkpoint));
  }
}

/** Lists events of the selection, at most `count`. */
function read(
  tx: Transaction,
  of: TrailOf,
  page: {
    readonly actions?: readonly string[];
    readonly newestFirst?: boolean;
    readonly after?: number | null;
    readonly toSequence?: number;
    readonly count: number;
  },
): Promise<AuditRow[]> {
  return listEvents(tx, {
    actions: [],
    actorId: undefined,
    actorType: undefined,
    resourceType: undefined,
    resourceId: undefined,
    outcome: undefined,
    from: undefined,
    to: undefined,
    fromSequence: undefined,
    newestFirst: false,
    after: null,
    ...of,
    ...page,
  });
}
