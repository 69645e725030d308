/**
 * Periodic erasure of selfies and videos some days after the decision, and the task that deletes the file. Registered
 * by the index of the module and run by the layer tasks. The record changes first and the file goes after the commit;
 * the sweep of files removes what a failed task leaves.
 */
import { appendAudit } from '../../../audit/chain.ts';
import { addMilliseconds, DAY_MILLISECONDS, MINUTE_SECONDS } from '../../../base/time.ts';
import type { FileStorage } from '../../../providers/files/index.ts';
import type { Due } from '../../../tasks/due.ts';
import { enqueueTask, type TaskKind } from '../../../tasks/task.ts';
import { erasedFileOf } from '../../documents/index.ts';
import { readSettings } from '../../tenant-settings/index.ts';
import { ERASED_AT_ONCE, eraseBiometricFiles } from './biometrics-store.ts';

const ACTOR = {
  type: 'system',
  id: 'documents.biometrics',
  display: 'Retention of biometric data',
  impersonatorId: null,
} as const;

/**
 * Erases the files of selfies and videos `retention.biometricDays` after the decision (LGPD, arts. 6º, III, and 16).
 * Hash and status remain: they are part of the evidence of the decision and identify no person.
 */
export const biometricsDue: Due = {
  name: ACTOR.id,
  everySeconds: 5 * MINUTE_SECONDS,
  inEveryStatus: true,
  atOnce: ERASED_AT_ONCE,
  run: async (tx, { environment, businessTime, now }) => {
    const tenantId = tx.tenantId!;
    const {
      retention: { biometricDays },
    } = await readSettings(tx, tenantId);
    const endedBefore = addMilliseconds(businessTime, -biometricDays * DAY_MILLISECONDS);
    const erased = await tx.run(eraseBiometricFiles, {
      tenantId,
      environment,
      endedBefore,
      at: businessTime,
    });
    for (const { id, applicationId, type } of erased) {
      appendAudit(tx, {
        occurredAt: now.toISOString(),
        environment,
        actor: ACTOR,
        outcome: 'success',
        action: 'document.file_erased',
        resource: { type: 'document', id },
        changes: [
          { op: 'add', path: '/applicationId', value: applicationId },
          { op: 'add', path: '/type', value: type },
        ],
      });
      enqueueTask(tx, biometricFileTask, id, now);
    }
    return erased.map(({ id }) => ({ resource: { type: 'document', id }, change: 'file erased' }));
  },
};

/**
 * Deletes the file once its record says that the file is erased. The hourly sweep deletes the files that this task
 * leaves: those of a suspended tenant, and those whose deletion failed too often.
 */
export const biometricFileTask: TaskKind<{ readonly files: FileStorage }> = {
  name: 'documents.remove_file',
  async step({ tx, subjectId }, { files }) {
    const key = await erasedFileOf(tx, subjectId);
    if (key !== null) await files.delete(key);
    return null;
  },
  giveUp: () => Promise.resolve(),
};
