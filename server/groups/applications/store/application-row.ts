import { bytes, json, table, text, texts, timestamp, uuid, integer, type InsertOf } from '../../../database/index.ts';
import type { ApplicationRecord } from '../application.ts';
import type { BlindIndex } from '../blind-index.ts';

/** Members that one `status` of the audit log tells of, or a number or a time that each change has. */
export const application = table('application', {
  id: uuid().fixed(),
  externalId: text().nullable(),
  environment: text<ApplicationRecord['environment']>().fixed(),
  status: text<ApplicationRecord['status']>().unaudited(),
  statusReason: text().nullable().unaudited(),
  statusNote: text().nullable().unaudited(),
  level: text<ApplicationRecord['level']>(),
  purpose: text<ApplicationRecord['purpose']>(),
  // Of the applicant the log tells of each member (changes.ts).
  applicant: json<ApplicationRecord['applicant']>().unaudited(),
  productCodes: texts(),
  channel: text<ApplicationRecord['channel']>(),
  submittedAt: timestamp().nullable().unaudited(),
  // Nothing decides yet.
  decidedAt: timestamp().nullable().defaulted().unaudited(),
  expiresAt: timestamp().nullable().unaudited(),
  metadata: json<ApplicationRecord['metadata']>(),
  version: integer().unaudited(),
  createdAt: timestamp().fixed(),
  updatedAt: timestamp().unaudited(),
  createdBy: json<ApplicationRecord['createdBy']>().fixed(),
  tenantId: uuid().fixed(),
  // What rows are found by, computed from the applicant.
  fullName: text().unaudited(),
  taxIdMac: bytes().nullable().unaudited(),
  emailMac: bytes().nullable().unaudited(),
});

/** Everything that a record is made of; columns that only repeat it for searching are not read. */
export const applicationRecord = application.except('tenantId', 'fullName', 'taxIdMac', 'emailMac');

/** The row of a record, with what it is found by. */
export function rowOf(tenantId: string, record: ApplicationRecord, index: BlindIndex): InsertOf<typeof application> {
  const { applicant } = record;
  return {
    ...record,
    tenantId,
    fullName: applicant.fullName,
    taxIdMac: applicant.taxId === null ? null : index.mac(tenantId, 'tax_id', applicant.taxId.value),
    emailMac: applicant.email === null ? null : index.mac(tenantId, 'email', applicant.email.toLowerCase()),
  };
}
