import { jpeg, png } from '../support/specimens.ts';
import { unique, type Calls } from './call.ts';
import { jose, maria } from './people.ts';
import { newApplication, newConsent, newDocument } from './records.ts';

export const applicationCalls: Calls<
  'listApplications' | 'createApplication' | 'getApplication' | 'updateApplication' | 'submitApplication' | 'withdrawApplication' |
  'uploadDocument' | 'deleteDocument' | 'downloadDocument' | 'recordConsent' | 'listApplicationTimeline'
> = {
  listApplications: {},
  createApplication: {
    arrange: () => Promise.resolve({ body: { externalId: unique() } }),
    body: () => ({ ...maria(), submit: false }),
    otherBody: () => ({ ...jose(), submit: true }),
  },
  getApplication: {},
  updateApplication: { body: maria, otherBody: jose },
  submitApplication: {},
  withdrawApplication: {
    body: () => ({ reasonCode: 'applicant_request', note: 'Asked by phone on 3 November.' }),
    otherBody: () => ({ reasonCode: 'duplicate', note: 'Opened twice.' }),
  },
  uploadDocument: {
    body: () => ({ file: jpeg(), type: 'passport', side: 'single', country: 'BR', expiresOn: '2031-05-01' }),
    otherBody: () => ({ file: png(), type: 'id_card', side: 'front', country: 'PT', expiresOn: '2032-06-02' }),
  },
  deleteDocument: {},
  downloadDocument: {},
  recordConsent: {
    arrange: async (service, tenant) => {
      const applicationId = await newApplication(service, tenant);
      await newConsent(service, tenant, applicationId);
      return { params: { applicationId }, body: { evidenceDocumentId: await newDocument(service, tenant, applicationId) } };
    },
    body: () => ({
      action: 'granted', purpose: 'biometric_processing', legalBasis: 'consent', textVersion: 'biometrics-2026-03', textSha256: 'ab'.repeat(32), locale: 'pt-BR', channel: 'mobile',
      capturedAt: '2026-11-03T12:10:41.000Z', ip: '203.0.113.24', userAgent: 'Onboarding/4.2 (iOS 19.1)',
    }),
    otherBody: () => ({
      action: 'withdrawn', purpose: 'marketing', legalBasis: 'legitimate_interest', textVersion: 'marketing-2026-02', textSha256: 'cd'.repeat(32), locale: 'en', channel: 'web',
      capturedAt: '2026-11-04T09:30:00.000Z', ip: '2001:db8::24', userAgent: 'Mozilla/5.0',
    }),
  },
  listApplicationTimeline: {},
};
