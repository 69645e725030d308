import { appendAudit } from '../../audit/chain.ts';
import { DAY_MILLISECONDS, MINUTE_SECONDS } from '../../base/time.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import type { Due } from '../../tasks/due.ts';
import { enqueueTask, type TaskKind } from '../../tasks/task.ts';
import { erasedFileOf } from '../documents/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { ERASED_AT_ONCE, eraseBiometricFiles } from './biometrics-store.ts';

const ACTOR = { type: 'system', id: 'documents.biometrics', display: 'Retention of biometric data', impersonatorId: null } as const;

/**
 * Erases the files of selfies and videos so many days after the decision (`retention.biometricDays`; LGPD, arts. 6º, III, and 16). Hash and status stay: they are
 * part of the evidence that the decision rests on, and identify nobody.
 */
export const biometricsDue: Due = {
  name: ACTOR.id,
  everySeconds: 5 * MINUTE_SECONDS,
  inEveryStatus: true,
  atOnce: ERASED_AT_ONCE,
  run: async (tx, { environment, businessTime, now }) => {
    const tenantId = tx.tenantId!;
    const { retention: { biometricDays } } = await readSettings(tx, tenantId);
    const endedBefore = new Date(businessTime.getTime() - biometricDays * DAY_MILLISECONDS);
    const erased = await tx.run(eraseBiometricFiles, { tenantId, environment, endedBefore, now: businessTime });
    for (const { id, applicationId, type } of erased) {
      appendAudit(tx, {
        occurredAt: now.toISOString(), environment, actor: ACTOR, outcome: 'success', action: 'document.file_erased', resource: { type: 'document', id },
        changes: [{ op: 'add', path: '/applicationId', value: applicationId }, { op: 'add', path: '/type', value: type }],
      });
      enqueueTask(tx, biometricFileTask, id, now);
    }
    return erased.map(({ id }) => ({ resource: { type: 'document', id }, change: 'file erased' }));
  },
};

/** Removes the file once its record says that it is erased. The hourly sweep removes what this leaves: of a tenant that is suspended, or after too many failures. */
export const biometricFileTask: TaskKind<{ readonly files: FileStorage }> = {
  name: 'documents.remove_file',
  async step({ tx, subjectId }, { files }) {
    const key = await erasedFileOf(tx, subjectId);
    if (key !== null) await files.delete(key);
    return null;
  },
  giveUp: () => Promise.resolve(),
};
