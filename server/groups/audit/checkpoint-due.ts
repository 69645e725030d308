import { ChainBroken, CheckpointSigner, dueTenants, makeCheckpoint } from '../../database/audit.ts';
import type { Services } from '../../services.ts';

/** A checkpoint is due this long after the one before, if there is anything new. */
const CHECKPOINT_MILLISECONDS = 5 * 60_000;
const CHECKPOINT_EVENTS = 1_000;

/**
 * Signs the log of every tenant whose checkpoint is due, the platform's last because the others are events of it; how
 * many were made. A log that cannot be signed holds up no other.
 */
export async function checkpointDueTenants({ database, secrets, clock, log, auditAlarm }: Pick<Services, 'database' | 'secrets' | 'clock' | 'log' | 'auditAlarm'>, signal?: AbortSignal): Promise<number> {
  const signer = new CheckpointSigner(secrets);
  const due = await database.platform({ tenantId: null, readOnly: true }, (tx) =>
    dueTenants(tx, { before: new Date(clock().getTime() - CHECKPOINT_MILLISECONDS), events: CHECKPOINT_EVENTS }));
  let made = 0;
  for (const tenantId of due) {
    if (signal?.aborted === true) break;
    try {
      await database.platform({ tenantId }, (tx) => makeCheckpoint(tx, { tenantId, signer, now: clock() }));
      made += 1;
    } catch (error) {
      if (error instanceof ChainBroken) auditAlarm.raise(tenantId, error);
      else log.error({ tenantId, err: error }, 'a checkpoint could not be made');
    }
  }
  return made;
}
