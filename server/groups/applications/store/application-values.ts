import type { Values } from '../../../database/index.ts';
import type { ApplicationRecord } from '../application.ts';
import type { BlindIndex } from '../blind-index.ts';

/** The columns of a record, with what rows are found by. */
export interface ApplicationValues extends Values {
  readonly tenantId: string;
  readonly id: string;
  readonly environment: string;
  readonly externalId: string | null;
  readonly status: string;
  readonly statusReason: string | null;
  readonly statusNote: string | null;
  readonly level: string;
  readonly purpose: string;
  readonly channel: string;
  readonly fullName: string;
  readonly taxIdMac: Buffer | null;
  readonly emailMac: Buffer | null;
  readonly applicant: string;
  readonly productCodes: readonly string[];
  readonly metadata: string;
  readonly submittedAt: string | null;
  readonly expiresAt: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly createdBy: string;
}

export function valuesOf(tenantId: string, record: ApplicationRecord, index: BlindIndex): ApplicationValues {
  const { applicant } = record;
  return {
    tenantId,
    id: record.id,
    environment: record.environment,
    externalId: record.externalId,
    status: record.status,
    statusReason: record.statusReason,
    statusNote: record.statusNote,
    level: record.level,
    purpose: record.purpose,
    channel: record.channel,
    fullName: applicant.fullName,
    taxIdMac: applicant.taxId === null ? null : index.mac(tenantId, 'tax_id', applicant.taxId.value),
    emailMac: applicant.email === null ? null : index.mac(tenantId, 'email', applicant.email.toLowerCase()),
    applicant: JSON.stringify(applicant),
    productCodes: record.productCodes,
    metadata: JSON.stringify(record.metadata),
    submittedAt: record.submittedAt,
    expiresAt: record.expiresAt,
    version: record.version,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    createdBy: JSON.stringify(record.createdBy),
  };
}
