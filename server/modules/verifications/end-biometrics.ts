/**
 * Ends what may no longer use biometric data: cancels verifications after a withdrawal, and erases frames when their
 * retention ends. Called by the events of subjects and by periodic work.
 */
import { appendAudit } from '../../audit/chain.ts';
import { addMilliseconds, DAY_MILLISECONDS, MINUTE_SECONDS } from '../../base/time.ts';
import type { Due } from '../../tasks/due.ts';
import type { SubjectListener } from '../subject-events/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { eraseFrames, ERASED_AT_ONCE } from './challenge-store.ts';
import { ACTOR } from './run.ts';
import { BIOMETRIC_TYPES } from './start.ts';
import { cancelOfTypes } from './store.ts';

/** Cancels what is queued or running when the basis for biometric data is withdrawn. */
export const withdrawalListener: SubjectListener<'biometrics.withdrawn'> = {
  event: 'biometrics.withdrawn',
  async hear(tx, { subject, environment, at, now }) {
    if (subject.kind !== 'application') return;
    for (const { id, type } of await cancelOfTypes(tx, subject.id, BIOMETRIC_TYPES, at))
      appendAudit(tx, {
        occurredAt: now.toISOString(),
        environment,
        actor: ACTOR,
        outcome: 'success',
        action: 'verification.cancelled',
        resource: { type: 'verification', id },
        changes: [
          { op: 'add', path: '/applicationId', value: subject.id },
          { op: 'add', path: '/type', value: type },
        ],
      });
  },
};

const RETENTION = {
  type: 'system',
  id: 'verifications.frames',
  display: 'Retention of biometric data',
  impersonatorId: null,
} as const;

/**
 * Erases frames `retention.biometricDays` after the decision (LGPD, arts. 6º, III, and 16). Their hashes remain, as
 * evidence of what was judged.
 */
export const framesDue: Due = {
  name: RETENTION.id,
  everySeconds: 5 * MINUTE_SECONDS,
  inEveryStatus: true,
  atOnce: ERASED_AT_ONCE,
  run: async (tx, { environment, businessTime, now }) => {
    const { retention } = await readSettings(tx, tx.tenantId!);
    const endedBefore = addMilliseconds(businessTime, -retention.biometricDays * DAY_MILLISECONDS);
    const erased = await eraseFrames(tx, environment, endedBefore);
    for (const id of new Set(erased.map(({ challengeId }) => challengeId)))
      appendAudit(tx, {
        occurredAt: now.toISOString(),
        environment,
        actor: RETENTION,
        outcome: 'success',
        action: 'challenge.frames_erased',
        resource: { type: 'liveness_challenge', id },
      });
    return erased.map(({ challengeId }) => ({
      resource: { type: 'liveness_challenge', id: challengeId },
      change: 'frame erased',
    }));
  },
};
