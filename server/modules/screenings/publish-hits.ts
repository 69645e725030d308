/**
 * Publishes to other modules that hits were decided or are open again (subject-events). Called by decisions and the
 * allow-list in the transaction of the change, so a listener that throws undoes it. Screenings without an application
 * publish nothing.
 */
import type { Transaction } from '../../database/index.ts';
import { publish, type When } from '../subject-events/index.ts';
import type { HitDecision } from './decision-store.ts';
import type { ScreeningRecord } from './store.ts';

/**
 * Publishes that a decision about a hit has taken effect. A screening without an application has a subject of its own,
 * which no other module knows.
 */
export async function publishDecided(
  tx: Transaction,
  { id: screeningId, applicationId, environment }: Pick<ScreeningRecord, 'id' | 'applicationId' | 'environment'>,
  { hitId, status }: Pick<HitDecision, 'hitId' | 'status'>,
  when: When,
): Promise<void> {
  if (applicationId === null) return;
  const event = {
    subject: { kind: 'application', id: applicationId },
    environment,
    screeningId,
    hitId,
    ...when,
  } as const;
  await publish(tx, { ...event, type: 'hit.decided', status });
  if (status === 'true_positive') await publish(tx, { ...event, type: 'hit.confirmed' });
}

/** Publishes that hits are open again because the entry of the allow-list that dismissed them has ended. */
export async function publishReopened(
  tx: Transaction,
  { applicationId, environment }: Pick<ScreeningRecord, 'applicationId' | 'environment'>,
  when: When,
): Promise<void> {
  if (applicationId === null) return;
  await publish(tx, {
    type: 'hits.reopened',
    subject: { kind: 'application', id: applicationId },
    environment,
    ...when,
  });
}
