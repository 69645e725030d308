import { appendAudit } from '../../audit/chain.ts';
import type { RealTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { enqueueTask, type TaskKind } from '../../tasks/task.ts';
import { assessById } from './assess-task.ts';
import { inOrder, lockAssessable } from './assessable.ts';
import {
  countSubjects,
  insertReassessment,
  nextSubjects,
  lockReassessment,
  moveReassessment,
} from './reassessment-store.ts';

/** Number of subjects that one step assesses, so that other tasks of the tenant run between two steps. */
const AT_ONCE = 20;

const ACTOR = {
  type: 'system',
  id: 'risk.reassess',
  display: 'Re-assessment of all subjects',
  impersonatorId: null,
} as const;

/** Assesses all subjects of an environment, a few in each step. */
export const reassessTask: TaskKind<unknown> = {
  name: ACTOR.id,
  step: async ({ tx, subjectId, now }) => {
    const run = await lockReassessment(tx, subjectId);
    if (run === null || run.completedAt !== null) return null;
    const { id, environment, definitionId, position, done, failed } = run;
    const subjects = await nextSubjects(tx, environment, position, AT_ONCE);
    // All are locked before the first one is assessed, because its case locks the counter of the case numbers until the
    // end of the transaction.
    for (const subject of inOrder(subjects)) await lockAssessable(tx, subject);
    let unscorable = 0;
    for (const subject of subjects) {
      const isScored = await assessById(tx, subject, definitionId === null ? 'snapshot' : 'activation', now);
      if (!isScored) unscorable++;
    }
    const isDone = subjects.length < AT_ONCE;
    const progress = { done: done + subjects.length, failed: failed + unscorable };
    moveReassessment(tx, id, {
      position: subjects.at(-1)?.id ?? position,
      ...progress,
      completedAt: isDone ? now : null,
    });
    if (!isDone) return 0;
    appendAudit(tx, {
      occurredAt: now.toISOString(),
      environment,
      action: 'risk.reassessed',
      outcome: 'success',
      actor: ACTOR,
      resource: { type: 'risk_reassessment', id },
      changes: Object.entries({ definitionId, ...progress }).map(([name, value]) => ({
        op: 'add',
        path: `/${name}`,
        value,
      })),
    });
    return null;
  },
  giveUp: async ({ tx, subjectId, now }) => {
    const run = await lockReassessment(tx, subjectId);
    if (run !== null && run.completedAt === null) moveReassessment(tx, run.id, { ...run, completedAt: now });
  },
};

/** Queues the assessment of all subjects of an environment after a definition has become active. */
export async function reassessAll(
  tx: Transaction,
  environment: Environment,
  definitionId: string,
  now: RealTime,
): Promise<void> {
  const id = uuidv7();
  insertReassessment(tx, {
    id,
    environment,
    definitionId,
    total: await countSubjects(tx, environment),
    startedAt: now,
  });
  enqueueTask(tx, { ...reassessTask, isBulk: true }, id, now);
}
