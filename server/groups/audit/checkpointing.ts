import { ChainBroken, CheckpointSigner, IncompleteTree, makeCheckpoint, type Checkpoint, type CheckpointKey } from '../../database/audit.ts';
import { Problem } from '../../http/problem.ts';
import type { Services } from '../../services.ts';

/** How often at most a proof may call for a checkpoint of its own: each is also an event of the platform's chain. */
const ON_DEMAND_MILLISECONDS = 10_000;

/** Makes checkpoints between the rounds of the job, for those who need a proof now. */
export class Checkpointing {
  readonly signer: CheckpointSigner;
  readonly #services: Pick<Services, 'database' | 'auditAlarm'>;

  constructor({ secrets, database, auditAlarm }: Pick<Services, 'secrets' | 'database' | 'auditAlarm'>) {
    this.signer = new CheckpointSigner(secrets);
    this.#services = { database, auditAlarm };
  }

  get publicKey(): CheckpointKey {
    return this.signer.publicKey;
  }

  /** The newest checkpoint after as many events as there are; null if it is too early, or the log does not hold. */
  async onDemand(tenantId: string, newest: Checkpoint | null, now: Date): Promise<Checkpoint | null> {
    if (waitFor(newest, now) > 0) return null;
    const { database, auditAlarm } = this.#services;
    try {
      return await database.platform({ tenantId }, (tx) => makeCheckpoint(tx, { tenantId, signer: this.signer, now }));
    } catch (error) {
      if (!(error instanceof ChainBroken)) throw error;
      auditAlarm.raise(tenantId, error);
      return null;
    }
  }

  /** Reads from the stored tree. What is missing below a checkpoint was removed, so nothing can be proved, and somebody must know. */
  async watching<T>(tenantId: string, { treeSize }: Checkpoint, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof IncompleteTree) this.#services.auditAlarm.raise(tenantId, { sequence: treeSize, kind: 'root_mismatch' });
      throw error;
    }
  }

  notYet(newest: Checkpoint | null, now: Date): Problem {
    const retryAfter = Math.max(1, Math.ceil(waitFor(newest, now) / 1000));
    return new Problem('not_checkpointed_yet', { retryable: true, retryAfter }).with({ 'Retry-After': String(retryAfter) });
  }
}

function waitFor(newest: Checkpoint | null, now: Date): number {
  return newest === null ? 0 : Date.parse(newest.timestamp) + ON_DEMAND_MILLISECONDS - now.getTime();
}
