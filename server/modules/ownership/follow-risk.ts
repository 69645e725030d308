/**
 * Judges the beneficial owners of a business anew when its level of risk changes, because another level may have a
 * lower threshold. If other persons are beneficial owners by it, the same graph is recorded as the next version: a
 * version never changes, and requirements are judged by the latest one. Called by the module owner-threshold.
 */
import { isDeepStrictEqual } from 'node:util';
import { appendAudit } from '../../audit/chain.ts';
import type { Transaction } from '../../database/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { SubjectEvent } from '../subject-events/index.ts';
import { openingKey } from '../subject-keys/index.ts';
import { ownerKeys, reassessed } from './assessment.ts';
import { openedVersion } from './opened-version.ts';
import { recordVersion, replacedChanges, thresholdFor } from './record-version.ts';
import { latestVersion } from './store.ts';

const ACTOR = { type: 'system', id: 'ownership.follow_risk', display: 'Threshold by level of risk' } as const;

export async function followRisk(
  tx: Transaction,
  { subject, environment, at, now }: SubjectEvent<'assessment.changed'>,
): Promise<void> {
  const row = subject.kind === 'business' ? await latestVersion(tx, subject.id) : null;
  if (row === null) return;
  const { businessId: id } = row;
  const opened = openedVersion(row, await openingKey(tx, { type: 'business', id }));
  const { graph, assessment, version } = opened;
  const threshold = await thresholdFor(tx, id);
  // The day of the version, so that only the threshold makes a difference.
  const anew = reassessed(opened, assessment.asOf, threshold);
  if (anew === null || isDeepStrictEqual(ownerKeys(anew), ownerKeys(assessment))) return;
  // Computes a second time only if other holdings or roles are in force today than on the day of the version.
  const today = reassessed({ graph, assessment: anew }, calendarDate(at), threshold) ?? anew;
  const recorded = await recordVersion(
    tx,
    { id, environment },
    {
      graph,
      assessment: today,
      version: version + 1,
      by: ACTOR,
      at,
      now,
    },
  );
  appendAudit(tx, {
    occurredAt: now.toISOString(),
    environment,
    action: 'ownership.replaced',
    outcome: 'success',
    actor: { ...ACTOR, impersonatorId: null },
    resource: { type: 'business', id },
    changes: Object.entries(replacedChanges(recorded)).map(([name, value]) => ({
      op: 'add',
      path: `/${name}`,
      value,
    })),
  });
}
