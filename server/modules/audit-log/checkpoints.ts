/**
 * Signed checkpoints of the audit log: made on demand for requests that need a proof, made periodically for all
 * tenants, and listed. Used by handlers, exports and the trail of this module; the job is registered by its index. A
 * hash that is missing below a checkpoint means that the log was tampered with: it raises the alarm and the request
 * fails.
 */
import type { AuditAlarm } from '../../audit/alarm.ts';
import { type Checkpoint, CheckpointSigner } from '../../audit/checkpoint.ts';
import {
  checkpointsBetween,
  dueTenants,
  newestCheckpoint,
  type StoredCheckpoint,
} from '../../audit/checkpoint-store.ts';
import { ChainBroken, makeCheckpoint } from '../../audit/make-checkpoint.ts';
import { consistencyPath, inclusionPath } from '../../audit/merkle.ts';
import type { AuditRow } from '../../audit/store.ts';
import { IncompleteTree, subtreeHashes } from '../../audit/tree.ts';
import type { Ed25519Jwk } from '../../base/ed25519.ts';
import type { Logger } from '../../base/log.ts';
import type { Secrets } from '../../base/secrets.ts';
import { MINUTE_MILLISECONDS, MINUTE_SECONDS, type RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { AuditChain, Database, Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { listPage } from '../../request/pagination.ts';
import { instantParameter } from '../../request/query.ts';
import type { Job, JobServices } from '../../tasks/job.ts';
import { checkpointToWire, hex } from './events.ts';
import { findEvent, listCheckpoints } from './store.ts';

/**
 * Least time between checkpoints on demand, which are limited because each is also an event of the platform's chain.
 */
const ON_DEMAND_MILLISECONDS = 10_000;

export interface CheckpointDependencies {
  readonly secrets: Secrets;
  readonly database: Database;
  readonly auditAlarm: AuditAlarm;
}

/** Makes checkpoints between the rounds of the job, for requests that need a proof at once. */
export class CheckpointService {
  readonly signer: CheckpointSigner;
  readonly #database: Database;
  readonly #auditAlarm: AuditAlarm;

  constructor({ secrets, database, auditAlarm }: CheckpointDependencies) {
    this.signer = new CheckpointSigner(secrets);
    this.#database = database;
    this.#auditAlarm = auditAlarm;
  }

  get publicKey(): Ed25519Jwk {
    return this.signer.publicKey;
  }

  /** Makes a checkpoint over all events. Returns null if the previous one is too recent, or if the chain is broken. */
  async onDemand(tenantId: string, newest: Checkpoint | null, now: RealTime): Promise<Checkpoint | null> {
    if (this.waitFor(newest, now) > 0) return null;
    try {
      return await this.#database.platform({ tenantId }, (tx) =>
        makeCheckpoint(tx, { tenantId, signer: this.signer, now }),
      );
    } catch (error) {
      if (!(error instanceof ChainBroken)) throw error;
      this.#auditAlarm.raise(tenantId, error);
      return null;
    }
  }

  /**
   * Reads from the stored tree. Raises the alarm if a hash below a checkpoint is missing, because the hash was removed
   * and nothing can be proved without it.
   */
  async raisingAlarm<T>(tenantId: string, { treeSize }: Checkpoint, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof IncompleteTree)
        this.#auditAlarm.raise(tenantId, { sequence: treeSize, kind: 'root_mismatch' });
      throw error;
    }
  }

  notCheckpointedYet(newest: Checkpoint | null, now: RealTime): Problem {
    const retryAfter = Math.max(1, Math.ceil(this.waitFor(newest, now) / 1000));
    return new Problem('not_checkpointed_yet', { retryable: true, retryAfter });
  }

  /** Returns the milliseconds until `onDemand` signs again. */
  waitFor(newest: Checkpoint | null, now: RealTime): number {
    return newest === null ? 0 : Math.max(0, Date.parse(newest.timestamp) + ON_DEMAND_MILLISECONDS - now.getTime());
  }
}

/** Time after which the next checkpoint is due, if there are new events. */
const CHECKPOINT_MILLISECONDS = 5 * MINUTE_MILLISECONDS;
const CHECKPOINT_EVENTS = 1_000;

type JobDependencies = CheckpointDependencies & { readonly clock: () => Date; readonly log: Logger };

/**
 * Signs the log of every tenant whose checkpoint is due, the platform's log last because the other checkpoints are
 * events in it. Returns the number of checkpoints, without those of the sealed logs, because the number is written to
 * the service's own log and a sealed log has events only if there are reports. A log that cannot be signed does not
 * delay the others.
 */
export async function checkpointDueTenants(dependencies: JobDependencies, signal?: AbortSignal): Promise<number> {
  const made = await checkpointDueLogs(dependencies, 'open', signal);
  await checkpointDueLogs(dependencies, 'sealed', signal);
  return made;
}

async function checkpointDueLogs(
  { database, secrets, auditAlarm, clock, log }: JobDependencies,
  auditChain: AuditChain,
  signal?: AbortSignal,
): Promise<number> {
  const signer = new CheckpointSigner(secrets);
  const due = await database.platform({ tenantId: null, readOnly: true, auditChain }, (tx) =>
    dueTenants(tx, { before: new Date(clock().getTime() - CHECKPOINT_MILLISECONDS), events: CHECKPOINT_EVENTS }),
  );
  let made = 0;
  for (const tenantId of due) {
    if (signal?.aborted === true) break;
    try {
      await database.platform({ tenantId, auditChain }, (tx) => makeCheckpoint(tx, { tenantId, signer, now: clock() }));
      made += 1;
    } catch (error) {
      if (error instanceof ChainBroken) auditAlarm.raise(tenantId, error);
      else log.error({ tenantId, err: error }, 'a checkpoint could not be made');
    }
  }
  return made;
}

/**
 * Lists checkpoints, newest first. With `consistencyFrom`, it includes a proof that the first checkpoint of the page
 * continues a tree that the caller knows.
 */
export async function checkpointPage(
  ctx: Context<'listAuditCheckpoints'>,
  checkpointing: CheckpointService,
): Promise<components['schemas']['AuditCheckpointList']> {
  const {
    tx,
    principal: { tenantId },
    query: { from, to, consistencyFrom },
  } = ctx;
  const page = await listPage(ctx, {
    rows: ({ after, count }) =>
      listCheckpoints(tx, tenantId, {
        from: instantParameter('from', from),
        to: instantParameter('to', to),
        below: after && Number(after[0]),
        count,
      }),
    position: ({ treeSize }) => [treeSize],
    item: (checkpoint) => checkpoint,
  });
  const consistency =
    consistencyFrom === undefined
      ? null
      : await proveConsistency(tx, { tenantId, fromSize: consistencyFrom, newest: page.items[0] }, checkpointing);
  return {
    ...page,
    items: page.items.map(checkpointToWire),
    publicKeys: [{ ...checkpointing.publicKey }],
    consistency,
  };
}

/** Proof that is wanted: from a tree that the caller knows to the newest checkpoint of the page. */
interface ConsistencyWanted {
  readonly tenantId: string;
  readonly fromSize: number;
  readonly newest: StoredCheckpoint | undefined;
}

async function proveConsistency(
  tx: Transaction,
  { tenantId, fromSize, newest }: ConsistencyWanted,
  checkpointing: CheckpointService,
): Promise<components['schemas']['AuditConsistency']> {
  if (newest === undefined || newest.treeSize < fromSize) {
    throw new Problem('invalid_parameter', {
      errors: [
        {
          parameter: 'consistencyFrom',
          code: 'invalid',
          message: 'must not be larger than the first tree of the page',
        },
      ],
    });
  }
  const path = await checkpointing.raisingAlarm(tenantId, newest, () =>
    subtreeHashes(tx, tenantId, consistencyPath(fromSize, newest.treeSize)),
  );
  return { fromSize, toSize: newest.treeSize, path: path.map(hex) };
}

type ProofRequest = Pick<Context<'getAuditEventProof'>, 'tx' | 'principal' | 'params' | 'query' | 'visible' | 'now'>;

/** Returns the inclusion proof of an event: the hashes from its leaf to the root of a signed checkpoint. */
export async function proveEvent(
  { tx, principal: { tenantId }, params, query, visible, now }: ProofRequest,
  checkpointing: CheckpointService,
): Promise<components['schemas']['AuditProof']> {
  const event = await findEvent(tx, tenantId, params.eventId, visible);
  if (event === null) throw new Problem('not_found');
  const checkpoint =
    query.treeSize === undefined
      ? await checkpointCovering(tx, event, checkpointing, now)
      : await checkpointOfSize(tx, event, checkpointing, { treeSize: query.treeSize, now });
  const index = event.sequence - 1;
  const path = await checkpointing.raisingAlarm(tenantId, checkpoint, () =>
    subtreeHashes(tx, tenantId, inclusionPath(index, checkpoint.treeSize)),
  );
  return {
    eventId: event.id,
    leafHash: hex(event.hash),
    index,
    treeSize: checkpoint.treeSize,
    path: path.map(hex),
    rootHash: hex(checkpoint.rootHash),
    checkpoint: checkpointToWire(checkpoint),
    publicKey: { ...checkpointing.publicKey },
  };
}

async function checkpointCovering(
  tx: Transaction,
  { tenantId, sequence }: AuditRow,
  checkpointing: CheckpointService,
  now: RealTime,
): Promise<Checkpoint> {
  const newest = await newestCheckpoint(tx, tenantId);
  if (newest !== null && newest.treeSize >= sequence) return newest;
  const made = await checkpointing.onDemand(tenantId, newest, now);
  if (made === null || made.treeSize < sequence) throw checkpointing.notCheckpointedYet(made ?? newest, now);
  return made;
}

async function checkpointOfSize(
  tx: Transaction,
  { tenantId, sequence }: AuditRow,
  checkpointing: CheckpointService,
  { treeSize, now }: { readonly treeSize: number; readonly now: RealTime },
): Promise<Checkpoint> {
  if (treeSize < sequence) throw wrongSize('must be a tree that holds the event');
  const [checkpoint] = await checkpointsBetween(tx, tenantId, treeSize, treeSize);
  if (checkpoint !== undefined) return checkpoint;
  const newest = await newestCheckpoint(tx, tenantId);
  if (newest === null || newest.treeSize < treeSize) throw checkpointing.notCheckpointedYet(newest, now);
  throw wrongSize('must be the size of a checkpoint');
}

function wrongSize(message: string): Problem {
  return new Problem('invalid_parameter', { errors: [{ parameter: 'treeSize', code: 'invalid', message }] });
}

export const checkpointJob: Job<JobServices & CheckpointDependencies> = {
  name: 'audit.checkpoint',
  everySeconds: MINUTE_SECONDS,
  run: ({ services, signal }) => checkpointDueTenants(services, signal),
};
