/** How tests call the operations on businesses. Part of the table in test/operations.ts. */
import { jpeg, png } from '../support/specimens.ts';
import {
  newBusiness,
  newBusinessDecision,
  newBusinessDocument,
  newCnpj,
  newDecidedBusiness,
  newReviewedBusiness,
} from './business-records.ts';
import { type Calls, unique } from './call.ts';

/** Returns an instant some days from now. */
function soon(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

export const businessCalls: Calls<
  | 'createBusiness'
  | 'listBusinesses'
  | 'getBusiness'
  | 'updateBusiness'
  | 'submitBusiness'
  | 'withdrawBusiness'
  | 'reopenBusiness'
  | 'endBusinessRelationship'
  | 'createBusinessDecision'
  | 'reviewBusinessDecision'
  | 'createBusinessInformationRequest'
  | 'uploadBusinessDocument'
  | 'deleteBusinessDocument'
  | 'downloadBusinessDocument'
  | 'recordBusinessWaiver'
  | 'recordBusinessAttestation'
  | 'listBusinessTimeline'
  | 'downloadBusinessEvidencePack'
  | 'eraseBusiness'
> = {
  createBusiness: {
    arrange: () => Promise.resolve({ body: { externalId: unique() } }),
    body: () => ({
      legalName: 'Padaria Aurora Ltda',
      tradeName: 'Padaria Aurora',
      registration: { type: 'cnpj', number: newCnpj(), country: 'BR' },
      legalForm: 'ltda',
      level: 'basic',
      monthlyRevenue: { amount: 25_000_000, currency: 'BRL' },
    }),
    otherBody: () => ({
      legalName: 'Aurora Bakery GmbH',
      tradeName: 'Aurora',
      registration: { type: 'other', number: unique().toUpperCase(), country: 'DE' },
      legalForm: 'foreign',
      level: 'enhanced',
      monthlyRevenue: { amount: 900, currency: 'EUR' },
    }),
  },
  listBusinesses: {},
  getBusiness: {},
  updateBusiness: {
    arrange: () => Promise.resolve({ body: { externalId: unique() } }),
    body: () => ({
      legalName: 'Aurora Pães Ltda',
      tradeName: 'Aurora Pães',
      legalForm: 'slu',
      level: 'enhanced',
      monthlyRevenue: { amount: 30_000_000, currency: 'BRL' },
    }),
    otherBody: () => ({
      legalName: 'Aurora Participações S.A.',
      tradeName: 'Aurora Par',
      legalForm: 'sa_closed',
      level: 'standard',
      monthlyRevenue: { amount: 700, currency: 'USD' },
    }),
  },
  submitBusiness: {},
  withdrawBusiness: {
    body: () => ({ reasonCode: 'applicant_request', note: 'Asked by phone on 3 November.' }),
    otherBody: () => ({ reasonCode: 'duplicate', note: 'Opened twice.' }),
  },
  reopenBusiness: {
    arrange: async (service, tenant) => ({
      params: { businessId: await newDecidedBusiness(service, tenant, 'reject') },
    }),
    body: () => ({
      reasonCode: 'data_subject_review',
      note: 'The company asks for a review by a person.',
      requestedBy: 'applicant',
    }),
    otherBody: () => ({
      reasonCode: 'error_correction',
      note: 'The wrong button was pressed.',
      requestedBy: 'institution',
    }),
  },
  endBusinessRelationship: {
    arrange: async (service, tenant) => ({
      params: { businessId: await newDecidedBusiness(service, tenant) },
      body: { endedAt: service.running.services.clock().toISOString() },
    }),
    body: () => ({ reasonCode: 'customer_request', note: 'The account was closed.' }),
    otherBody: () => ({ reasonCode: 'institution_decision', note: 'Closed by us.\nSee the case.' }),
  },
  createBusinessDecision: {
    arrange: async (service, tenant) => {
      const { businessId, evidenceDigest } = await newReviewedBusiness(service, tenant);
      return { params: { businessId }, body: { evidenceDigest } };
    },
    body: () => ({
      outcome: 'reject',
      rejectType: 'retry',
      reasonCodes: ['document_unreadable'],
      note: 'The articles cannot be read.',
      applicantMessage: 'Please send a better scan.',
    }),
    otherBody: () => ({
      outcome: 'reject',
      rejectType: 'final',
      reasonCodes: ['document_fraud', 'identity_mismatch'],
      note: 'The articles are forged.\nReported.',
      applicantMessage: 'We cannot open an account.',
    }),
    except: { '/outcome': 'an approval has no rejectType' },
  },
  reviewBusinessDecision: {
    arrange: async (service, tenant) => {
      const { evidenceDigest, ...params } = await newBusinessDecision(service, tenant);
      return { params, body: { evidenceDigest } };
    },
    body: () => ({ verdict: 'confirm', note: 'Seen with my own eyes.' }),
    otherBody: () => ({ verdict: 'return', note: 'The minutes are still missing.' }),
  },
  createBusinessInformationRequest: {
    arrange: async (service, tenant) => ({
      params: { businessId: (await newReviewedBusiness(service, tenant, 'standard')).businessId },
    }),
    body: () => ({
      items: [
        {
          requirementKey: 'constitutive_document',
          reasonCode: 'document_unreadable',
          messageToApplicant: 'Please send the articles again.',
          documentType: 'articles',
        },
      ],
      internalNote: 'Called twice.',
      dueAt: soon(3),
    }),
    otherBody: () => ({
      items: [
        {
          requirementKey: 'constitutive_document',
          reasonCode: 'document_outdated',
          messageToApplicant: 'Please send the bylaws.\nAll pages.',
          documentType: 'bylaws',
        },
      ],
      internalNote: 'Looks older.',
      dueAt: soon(4),
    }),
  },
  uploadBusinessDocument: {
    body: () => ({
      file: jpeg(),
      type: 'articles',
      side: 'single',
      country: 'BR',
      expiresOn: '2031-05-01',
    }),
    otherBody: () => ({
      file: png(),
      type: 'bylaws',
      side: 'front',
      country: 'PT',
      expiresOn: '2032-06-02',
    }),
  },
  deleteBusinessDocument: {},
  downloadBusinessDocument: {},
  // A log that was never signed is signed at once; another log may have to wait.
  downloadBusinessEvidencePack: { arrange: async (service) => ({ tenant: await service.tenant() }) },
  listBusinessTimeline: {},
  eraseBusiness: {
    body: () => ({ reason: 'data_subject_request', requestRef: 'dsr-118' }),
    otherBody: () => ({ reason: 'retention_expired', requestRef: 'list-2032' }),
  },
  recordBusinessWaiver: {
    body: () => ({
      action: 'granted',
      requirementKey: 'registry_active',
      reasonCode: 'not_obtainable',
      note: 'The register is down.',
    }),
    otherBody: () => ({
      action: 'granted',
      requirementKey: 'account_protection_clear',
      reasonCode: 'verified_elsewhere',
      note: 'Known from another account.\nSee there.',
    }),
    except: { '/action': 'there is nothing to revoke before' },
  },
  recordBusinessAttestation: {
    arrange: async (service, tenant) => {
      const businessId = await newBusiness(service, tenant);
      return {
        params: { businessId },
        body: { evidenceDocumentId: await newBusinessDocument(service, tenant, businessId) },
      };
    },
    body: () => ({
      requirementKey: 'registry_active',
      outcome: 'pass',
      source: 'Register of companies, by CNPJ',
      lookedUpAt: soon(-2),
      note: 'The company is active.',
    }),
    otherBody: () => ({
      requirementKey: 'officers_match',
      outcome: 'fail',
      source: 'https://servicos.receita.example/cnpj',
      lookedUpAt: soon(-3),
      note: 'Another administrator.\nAsked twice.',
    }),
  },
};
