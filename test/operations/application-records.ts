/**
 * Applications with what is needed before a call about them: documents, waivers, consents, reviews and decisions. Used
 * by the tables of calls of this folder and by worlds of tests.
 */
import { multipart, success } from '../support/api.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { maria } from './people.ts';

/** Creates an application of a new person, complete enough to be submitted. */
export async function newApplication(service: TestService, tenant: Tenant, as?: Credential): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/applications', {
      headers: as ?? (await tenant.key(['write'])),
      body: { ...maria(), level: 'basic' },
    }),
  );
  return body.id;
}

export async function newDocument(
  service: TestService,
  tenant: Tenant,
  applicationId: string,
  as?: Credential,
): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/applications/{applicationId}/documents', {
      params: { path: { applicationId } },
      headers: as ?? (await tenant.key(['write'])),
      body: { type: 'passport', side: 'single', file: new Blob([new Uint8Array(jpeg())]) },
      bodySerializer: multipart,
    }),
    201,
  );
  return body.id;
}

/** Creates a waiver of the proof of address, which the level must require. */
export async function newWaiver(service: TestService, tenant: Tenant, applicationId: string): Promise<void> {
  await success(
    service.api.PATCH('/v1/applications/{applicationId}', {
      params: { path: { applicationId } },
      headers: await tenant.key(['write']),
      body: { level: 'enhanced' },
    }),
  );
  await success(
    service.api.POST('/v1/applications/{applicationId}/waivers', {
      params: { path: { applicationId } },
      headers: await tenant.user('compliance_officer'),
      body: {
        action: 'granted',
        requirementKey: 'proof_of_address',
        reasonCode: 'not_obtainable',
        note: 'Lives at a relative.',
      },
    }),
    201,
  );
}

/** Creates an attestation of the content of a document of the application. */
export async function newAttestation(
  service: TestService,
  tenant: Tenant,
  applicationId: string,
  evidenceDocumentId: string,
): Promise<void> {
  await success(
    service.api.POST('/v1/applications/{applicationId}/attestations', {
      params: { path: { applicationId } },
      headers: await tenant.user('analyst'),
      body: {
        requirementKey: 'adverse_media_clear',
        outcome: 'pass',
        source: 'News, by name',
        lookedUpAt: service.running.services.clock().toISOString(),
        note: 'Nothing was found.',
        evidenceDocumentId,
      },
    }),
    201,
  );
}

/** Creates a draft that lacks what the highest level requires. */
export async function newUnmetApplication(service: TestService, tenant: Tenant): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/applications', {
      headers: await tenant.key(['write']),
      body: { purpose: 'account_opening', level: 'enhanced', applicant: { fullName: 'Maria da Silva' } },
    }),
  );
  return body.id;
}

/** Creates a consent to advertising, which can be withdrawn. */
export async function newConsent(
  service: TestService,
  tenant: Tenant,
  applicationId: string,
  as?: Credential,
): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/applications/{applicationId}/consents', {
      params: { path: { applicationId } },
      headers: as ?? (await tenant.key(['write'])),
      body: {
        action: 'granted',
        purpose: 'marketing',
        legalBasis: 'consent',
        textVersion: '1',
        textSha256: '0'.repeat(64),
        locale: 'pt-BR',
        channel: 'web',
        capturedAt: '2026-11-01T08:00:00.000Z',
      },
    }),
    201,
  );
  return body.id;
}

interface InReview {
  readonly applicationId: string;
  readonly evidenceDigest: string;
}

/** Creates an application in review, of a person who by default declares no public office. */
export async function newReviewedApplication(
  service: Pick<TestService, 'api'>,
  tenant: Tenant,
  pepDeclaration: { readonly isPep: boolean } | null = null,
  applicant: Partial<ReturnType<typeof maria>['applicant']> = {},
): Promise<InReview> {
  const headers = await tenant.key(['write']);
  const draft = maria();
  const { body } = await success(
    service.api.POST('/v1/applications', {
      headers,
      body: {
        ...draft,
        level: 'basic',
        submit: true,
        applicant: { ...draft.applicant, pepDeclaration, ...applicant },
      },
    }),
  );
  return { applicationId: body.id, evidenceDigest: body.evidenceDigest ?? '' };
}

/** Creates an approval that an analyst has proposed and that waits for the second reviewer. */
export async function newDecision(
  service: TestService,
  tenant: Tenant,
): Promise<InReview & { readonly decisionId: string }> {
  const { applicationId, evidenceDigest } = await newReviewedApplication(service, tenant, { isPep: true });
  const { body } = await success(
    service.api.POST('/v1/applications/{applicationId}/decisions', {
      params: { path: { applicationId } },
      headers: await tenant.user('analyst', { purpose: 'proposes' }),
      body: {
        outcome: 'approve',
        reasonCodes: ['identity_confirmed'],
        note: 'Passport and address agree.',
        evidenceDigest,
      },
    }),
    202,
  );
  return { applicationId, evidenceDigest, decisionId: body.id };
}

/** Creates an application whose applicant is asked for the date of birth. */
export async function newInformationRequest(service: TestService, tenant: Tenant): Promise<string> {
  const { applicationId } = await newReviewedApplication(service, tenant);
  await success(
    service.api.POST('/v1/applications/{applicationId}/information-requests', {
      params: { path: { applicationId } },
      headers: await tenant.user('analyst', { purpose: 'proposes' }),
      body: {
        items: [
          { requirementKey: 'identity_data', reasonCode: 'date_unlikely', messageToApplicant: 'When were you born?' },
        ],
      },
    }),
    201,
  );
  return applicationId;
}

export async function newDecidedApplication(
  service: TestService,
  tenant: Tenant,
  applicant: Partial<ReturnType<typeof maria>['applicant']> = {},
): Promise<string> {
  const { applicationId, evidenceDigest } = await newReviewedApplication(service, tenant, null, applicant);
  // The applicant has not been screened, so two people must agree.
  const {
    body: { id: decisionId },
  } = await success(
    service.api.POST('/v1/applications/{applicationId}/decisions', {
      params: { path: { applicationId } },
      headers: await tenant.key(['write']),
      body: {
        outcome: 'approve',
        reasonCodes: ['identity_confirmed'],
        note: 'Passport and address agree.',
        evidenceDigest,
      },
    }),
    202,
  );
  await success(
    service.api.POST('/v1/applications/{applicationId}/decisions/{decisionId}/review', {
      params: { path: { applicationId, decisionId } },
      headers: await tenant.user('compliance_officer'),
      body: { verdict: 'confirm', note: 'Seen with my own eyes.', evidenceDigest },
    }),
    200,
  );
  return applicationId;
}
