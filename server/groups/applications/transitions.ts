import type { components } from '../../contract/generated/types.ts';
import type { ApplicationRecord } from './application.ts';
import { timeOfChange } from './time-of-change.ts';
import { nextStatus } from './status.ts';

export function submitted(record: ApplicationRecord, now: Date): ApplicationRecord {
  const status = nextStatus('submitApplication', record.status);
  return { ...record, status, statusReason: 'submitted', statusNote: null, submittedAt: now.toISOString(), expiresAt: null };
}

export function withdrawn(record: ApplicationRecord, { reasonCode, note = null }: components['schemas']['WithdrawRequest']): ApplicationRecord {
  return { ...record, status: nextStatus('withdrawApplication', record.status), statusReason: reasonCode, statusNote: note, expiresAt: null };
}

/** Every committed change of a stored record has a version and a time of its own. */
export function changed(before: ApplicationRecord, after: ApplicationRecord, now: Date): ApplicationRecord {
  return { ...after, version: before.version + 1, updatedAt: timeOfChange(now, before.updatedAt) };
}
