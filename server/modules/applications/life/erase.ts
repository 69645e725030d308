/**
 * Erasure of an applicant on request: destroys the key of the application, empties its rows and ends its monitoring.
 * Called by the handler. Refused while the application is being decided and while the law demands retention
 * (`retention_hold`). Files are returned to the caller, who deletes them after the commit.
 */
import type { FileKey } from '../../../providers/files/index.ts';
import { assertNotHeld, eraseSubject } from '../../decisions/index.ts';
import { closeAlerts } from '../../subscriptions/index.ts';
import { readSettings } from '../../tenant-settings/index.ts';
import { assertNotUnderReview, type ApplicationRecord, subjectOf } from '../record/application.ts';
import { beginChange, type ChangeRequest } from '../record/change-applications.ts';
import { followStatus } from './monitoring.ts';

interface Erased {
  readonly application: ApplicationRecord;
  readonly erasedAt: string;
  /** Files to delete once the erasure is committed. */
  readonly files: readonly FileKey[];
}

/**
 * Erases all data about the applicant and destroys the key of the application, unless the law demands their retention.
 */
export async function eraseApplication(ctx: ChangeRequest): Promise<Erased> {
  const {
    tx,
    principal: { tenantId },
  } = ctx;
  const [{ before, now }, { retention }] = await Promise.all([beginChange(ctx), readSettings(tx, tenantId)]);
  assertNotUnderReview(before.status);
  assertNotHeld(before, retention, now);
  const when = { at: now, now: ctx.now };
  await followStatus(tx, [{ ...before, isErased: true }], when);
  closeAlerts(tx, subjectOf(before));
  const files = await eraseSubject(tx, { subject: subjectOf(before), environment: before.environment, ...when });
  return { application: before, files, erasedAt: now.toISOString() };
}
