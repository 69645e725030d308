import { appendAudit, type Transaction, uuidv7 } from '../../../../server/database/index.ts';
import type { Applicant, ApplicationRecord } from '../../../../server/modules/applications/application.ts';
import { findApplication, insertApplication } from '../../../../server/modules/applications/store.ts';
import { listDocuments } from '../../../../server/modules/documents/store.ts';
import type { BlindIndex } from '../../../../server/rules/blind-index.ts';

/** The statements of getApplication and createApplication, taken from the service: the same SQL by construction. */
export async function read(tx: Transaction, tenantId: string, id: string): Promise<object> {
  const [record, documents] = await Promise.all([findApplication(tx, { tenantId, id }), listDocuments(tx, { tenantId, applicationId: id })]);
  return { ...record, documents };
}

const createdBy = { type: 'api_key', id: 'kyc_live_bench000', display: 'Bare server' } as const;

const NOTHING_KNOWN = {
  socialName: null, motherName: null, dateOfBirth: null, nationality: null, countryOfBirth: null, taxId: null, email: null, phone: null,
  address: null, occupation: null, monthlyIncome: null, sourceOfFunds: [], pepDeclaration: null, taxResidencies: [], residentAbroad: false,
};

/** Nothing is checked: the body is believed. */
export async function create(tx: Transaction, tenantId: string, index: BlindIndex, body: Partial<ApplicationRecord>): Promise<object> {
  const now = new Date().toISOString();
  const record = {
    id: uuidv7(), externalId: null, environment: 'live', status: 'draft', statusReason: null, statusNote: null, level: 'standard', productCodes: [],
    channel: 'api', submittedAt: null, decidedAt: null, expiresAt: now, metadata: {}, version: 1, createdAt: now, updatedAt: now, createdBy,
    ...body, applicant: { ...NOTHING_KNOWN, ...body.applicant } as Applicant,
  } as ApplicationRecord;
  const inserted = insertApplication(tx, tenantId, record, index);
  appendAudit(tx, {
    occurredAt: now, environment: 'live', actor: { ...createdBy, impersonatorId: null }, action: 'application.created',
    resource: { type: 'application', id: record.id }, outcome: 'success', requestId: uuidv7(), ip: '127.0.0.1', userAgent: 'bench',
    changes: [{ op: 'add', path: '/status', value: record.status }, { op: 'add', path: '/level', value: record.level }, { op: 'add', path: '/purpose', value: record.purpose }],
  });
  await inserted;
  return record;
}
