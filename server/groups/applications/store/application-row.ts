import type { components } from '../../../contract/generated/types.ts';
import type { Applicant, ApplicationRecord, Metadata } from '../application.ts';

/** Everything that a record is made of; searchable columns that only repeat it are not read. */
export const applicationColumns = [
  'id', 'environment', 'external_id', 'status', 'status_reason', 'status_note', 'level', 'purpose', 'channel', 'applicant', 'product_codes', 'metadata',
  'submitted_at', 'decided_at', 'expires_at', 'version', 'created_at', 'updated_at', 'created_by',
] as const;

export interface ApplicationRow {
  readonly id: string;
  readonly environment: ApplicationRecord['environment'];
  readonly external_id: string | null;
  readonly status: ApplicationRecord['status'];
  readonly status_reason: string | null;
  readonly status_note: string | null;
  readonly level: ApplicationRecord['level'];
  readonly purpose: ApplicationRecord['purpose'];
  readonly channel: ApplicationRecord['channel'];
  readonly applicant: Applicant;
  readonly product_codes: string[];
  readonly metadata: Metadata;
  readonly submitted_at: string | null;
  readonly decided_at: string | null;
  readonly expires_at: string | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly created_by: components['schemas']['Actor'];
}

export function toRecord(row: ApplicationRow): ApplicationRecord {
  return {
    id: row.id,
    externalId: row.external_id,
    environment: row.environment,
    status: row.status,
    statusReason: row.status_reason,
    statusNote: row.status_note,
    level: row.level,
    purpose: row.purpose,
    applicant: row.applicant,
    productCodes: row.product_codes,
    channel: row.channel,
    submittedAt: row.submitted_at,
    decidedAt: row.decided_at,
    expiresAt: row.expires_at,
    metadata: row.metadata,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: row.created_by,
  };
}
