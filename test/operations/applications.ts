/** How tests call the operations on applications. Part of the table in test/operations.ts. */
import { jpeg, png } from '../support/specimens.ts';
import { unique, type Calls } from './call.ts';
import { jose, maria } from './people.ts';
import {
  newApplication,
  newConsent,
  newDecidedApplication,
  newDecision,
  newDocument,
  newReviewedApplication,
  newUnmetApplication,
} from './application-records.ts';

/** Returns an instant some days from now. */
function soon(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

export const applicationCalls: Calls<
  | 'listApplications'
  | 'createApplication'
  | 'getApplication'
  | 'updateApplication'
  | 'submitApplication'
  | 'withdrawApplication'
  | 'uploadDocument'
  | 'deleteDocument'
  | 'downloadDocument'
  | 'downloadEvidencePack'
  | 'recordConsent'
  | 'recordWaiver'
  | 'recordAttestation'
  | 'listApplicationTimeline'
  | 'reopenApplication'
  | 'endRelationship'
  | 'eraseApplication'
  | 'createDecision'
  | 'reviewDecision'
  | 'createInformationRequest'
> = {
  listApplications: {},
  createApplication: {
    arrange: () => Promise.resolve({ body: { externalId: unique() } }),
    body: () => ({ ...maria(), submit: false }),
    otherBody: () => ({ ...jose(), submit: true }),
    except: { '/renewsApplicationId': 'a renewal is about the person of an approval' },
  },
  getApplication: {},
  updateApplication: { body: maria, otherBody: jose },
  submitApplication: {},
  withdrawApplication: {
    body: () => ({ reasonCode: 'applicant_request', note: 'Asked by phone on 3 November.' }),
    otherBody: () => ({ reasonCode: 'duplicate', note: 'Opened twice.' }),
  },
  reopenApplication: {
    arrange: async (service, tenant) => ({ params: { applicationId: await newDecidedApplication(service, tenant) } }),
    body: () => ({
      reasonCode: 'data_subject_review',
      note: 'The applicant asks for a review by a person.',
      requestedBy: 'applicant',
    }),
    otherBody: () => ({
      reasonCode: 'error_correction',
      note: 'The wrong button was pressed.',
      requestedBy: 'institution',
    }),
  },
  endRelationship: {
    arrange: async (service, tenant) => ({
      params: { applicationId: await newDecidedApplication(service, tenant) },
      body: { endedAt: service.running.services.clock().toISOString() },
    }),
    body: () => ({ reasonCode: 'customer_request', note: 'The account was closed.' }),
    otherBody: () => ({ reasonCode: 'institution_decision', note: 'Closed by us.\nSee the case.' }),
  },
  eraseApplication: {
    body: () => ({ reason: 'data_subject_request', requestRef: 'dsr-118' }),
    otherBody: () => ({ reason: 'retention_expired', requestRef: 'list-2032' }),
  },
  createDecision: {
    arrange: async (service, tenant) => {
      const { applicationId, evidenceDigest } = await newReviewedApplication(service, tenant);
      return { params: { applicationId }, body: { evidenceDigest } };
    },
    body: () => ({
      outcome: 'reject',
      rejectType: 'retry',
      reasonCodes: ['document_unreadable'],
      note: 'The passport cannot be read.',
      applicantMessage: 'Please send a better picture.',
    }),
    otherBody: () => ({
      outcome: 'reject',
      rejectType: 'final',
      reasonCodes: ['document_fraud', 'identity_mismatch'],
      note: 'The passport is forged.\nReported.',
      applicantMessage: 'We cannot open an account.',
    }),
    except: { '/outcome': 'an approval has no rejectType' },
  },
  reviewDecision: {
    arrange: async (service, tenant) => {
      const { evidenceDigest, ...params } = await newDecision(service, tenant);
      return { params, body: { evidenceDigest } };
    },
    body: () => ({ verdict: 'confirm', note: 'Seen with my own eyes.' }),
    otherBody: () => ({ verdict: 'return', note: 'The address is still missing.' }),
  },
  createInformationRequest: {
    arrange: async (service, tenant) => ({
      params: { applicationId: (await newReviewedApplication(service, tenant)).applicationId },
    }),
    body: () => ({
      items: [
        {
          requirementKey: 'tax_id_valid',
          reasonCode: 'number_unreadable',
          messageToApplicant: 'Please check your number.',
          documentType: null,
        },
      ],
      internalNote: 'Called twice.',
      dueAt: soon(3),
    }),
    otherBody: () => ({
      items: [
        {
          requirementKey: 'identity_data',
          reasonCode: 'date_unlikely',
          messageToApplicant: 'When were you born?\nPlease look again.',
          documentType: null,
        },
      ],
      internalNote: 'Looks younger.',
      dueAt: soon(4),
    }),
  },
  uploadDocument: {
    body: () => ({
      file: jpeg(),
      type: 'passport',
      side: 'single',
      country: 'BR',
      expiresOn: '2031-05-01',
    }),
    otherBody: () => ({
      file: png(),
      type: 'id_card',
      side: 'front',
      country: 'PT',
      expiresOn: '2032-06-02',
    }),
  },
  recordWaiver: {
    arrange: async (service, tenant) => ({ params: { applicationId: await newUnmetApplication(service, tenant) } }),
    body: () => ({
      action: 'granted',
      requirementKey: 'proof_of_address',
      reasonCode: 'not_obtainable',
      note: 'Lives at a relative.',
    }),
    otherBody: () => ({
      action: 'granted',
      requirementKey: 'source_of_funds',
      reasonCode: 'verified_elsewhere',
      note: 'Known from another account.\nSee there.',
    }),
    except: { '/action': 'there is nothing to revoke before' },
  },
  recordAttestation: {
    arrange: async (service, tenant) => {
      const applicationId = await newApplication(service, tenant);
      return {
        params: { applicationId },
        body: { evidenceDocumentId: await newDocument(service, tenant, applicationId) },
      };
    },
    body: () => ({
      requirementKey: 'adverse_media_clear',
      outcome: 'pass',
      source: 'News and courts, by name and CPF',
      lookedUpAt: soon(-2),
      note: 'Nothing was found.',
    }),
    otherBody: () => ({
      requirementKey: 'cpf_status_ok',
      outcome: 'fail',
      source: 'https://servicos.receita.example/cpf',
      lookedUpAt: soon(-3),
      note: 'The number is cancelled.\nAsked twice.',
    }),
  },
  deleteDocument: {},
  downloadDocument: {},
  // A log that was never signed is signed at once; another log may have to wait.
  downloadEvidencePack: { arrange: async (service) => ({ tenant: await service.tenant() }) },
  recordConsent: {
    arrange: async (service, tenant) => {
      const applicationId = await newApplication(service, tenant);
      await newConsent(service, tenant, applicationId);
      return {
        params: { applicationId },
        body: { evidenceDocumentId: await newDocument(service, tenant, applicationId) },
      };
    },
    body: () => ({
      action: 'granted',
      purpose: 'biometric_processing',
      legalBasis: 'consent',
      textVersion: 'biometrics-2026-03',
      textSha256: 'ab'.repeat(32),
      locale: 'pt-BR',
      channel: 'mobile',
      capturedAt: '2026-11-03T12:10:41.000Z',
      ip: '203.0.113.24',
      userAgent: 'Onboarding/4.2 (iOS 19.1)',
    }),
    otherBody: () => ({
      action: 'withdrawn',
      purpose: 'marketing',
      legalBasis: 'legitimate_interest',
      textVersion: 'marketing-2026-02',
      textSha256: 'cd'.repeat(32),
      locale: 'en',
      channel: 'web',
      capturedAt: '2026-11-04T09:30:00.000Z',
      ip: '2001:db8::24',
      userAgent: 'Mozilla/5.0',
    }),
  },
  listApplicationTimeline: {},
};
