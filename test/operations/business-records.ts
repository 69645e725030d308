/**
 * Businesses with what is needed before a call about them: documents, reviews and decisions. Used by the tables of
 * calls of this folder and by tests of businesses.
 */
import { uuidv7 } from '../../server/base/uuid.ts';
import { multipart, success } from '../support/api.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { unique } from './call.ts';

type Level = 'basic' | 'standard' | 'enhanced';

/** Returns an alphanumeric CNPJ of a head office that no other test uses. */
export function newCnpj(): string {
  return withCheckDigits(`${unique().slice(0, 8)}0001`.toUpperCase());
}

/** Returns the CNPJ of a branch of a head office. */
export function branchOf(headOffice: string, order = '0002'): string {
  return withCheckDigits(`${headOffice.slice(0, 8)}${order}`);
}

function withCheckDigits(characters: string): string {
  const digit = (before: string): string => {
    let sum = 0;
    for (let i = 0; i < before.length; i++) sum += (before.charCodeAt(i) - 48) * (2 + ((before.length - 1 - i) % 8));
    return String(sum % 11 < 2 ? 0 : 11 - (sum % 11));
  };
  const first = digit(characters);
  return `${characters}${first}${digit(characters + first)}`;
}

/** Records a business of a tenant, by default one that can be submitted, and returns its id. */
export async function newBusiness(
  service: TestService,
  tenant: Tenant,
  as?: Credential,
  level: Level = 'basic',
): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/businesses', {
      headers: as ?? (await tenant.key(['kyb'])),
      body: {
        legalName: 'Padaria Aurora Ltda',
        registration: { type: 'cnpj', number: newCnpj() },
        legalForm: 'ltda',
        level,
      },
    }),
    201,
  );
  return body.id;
}

export async function newBusinessDocument(service: TestService, tenant: Tenant, businessId: string): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/businesses/{businessId}/documents', {
      params: { path: { businessId } },
      headers: await tenant.key(['kyb']),
      body: { type: 'articles', side: 'single', file: new Blob([new Uint8Array(jpeg({ text: uuidv7() }))]) },
      bodySerializer: multipart,
    }),
    201,
  );
  return body.id;
}

interface InReview {
  readonly businessId: string;
  readonly evidenceDigest: string;
}

/** Submits a business, with its articles where the level requires them. */
export async function newReviewedBusiness(
  service: TestService,
  tenant: Tenant,
  level: Level = 'basic',
): Promise<InReview> {
  const businessId = await newBusiness(service, tenant, undefined, level);
  if (level !== 'basic') await newBusinessDocument(service, tenant, businessId);
  const { body } = await success(
    service.api.POST('/v1/businesses/{businessId}/submit', {
      params: { path: { businessId } },
      headers: await tenant.key(['kyb']),
    }),
    202,
  );
  return { businessId, evidenceDigest: body.evidenceDigest ?? '' };
}

type Decision = { readonly businessId: string; readonly decisionId: string; readonly evidenceDigest: string };
type Proposed = Parameters<typeof proposal>[2];

async function proposal(
  service: TestService,
  tenant: Tenant,
  { businessId, evidenceDigest }: InReview,
  outcome: 'approve' | 'reject',
): Promise<Decision> {
  const { body } = await success(
    service.api.POST('/v1/businesses/{businessId}/decisions', {
      params: { path: { businessId } },
      headers: await tenant.user('analyst', { purpose: 'proposes' }),
      body:
        outcome === 'approve'
          ? {
              outcome,
              reasonCodes: ['identity_confirmed'],
              note: 'Register and articles agree.',
              evidenceDigest,
            }
          : {
              outcome,
              rejectType: 'final',
              reasonCodes: ['document_unreadable'],
              note: 'The articles cannot be read.',
              evidenceDigest,
            },
    }),
    202,
  );
  return { businessId, decisionId: body.id, evidenceDigest };
}

/** Creates a rejection that an analyst has proposed and that waits for the second reviewer. */
export async function newBusinessDecision(service: TestService, tenant: Tenant): Promise<Decision> {
  return proposal(service, tenant, await newReviewedBusiness(service, tenant), 'reject');
}

/** Returns the id of a business with a decision that two people have made. */
export async function newDecidedBusiness(
  service: TestService,
  tenant: Tenant,
  outcome: 'approve' | 'reject' = 'approve',
): Promise<string> {
  let about: Proposed = await newReviewedBusiness(service, tenant);
  const { businessId } = about;
  if (outcome === 'approve') about = { businessId, evidenceDigest: await waived(service, tenant, businessId) };
  const { decisionId, evidenceDigest } = await proposal(service, tenant, about, outcome);
  await success(
    service.api.POST('/v1/businesses/{businessId}/decisions/{decisionId}/review', {
      params: { path: { businessId, decisionId } },
      headers: await tenant.user('compliance_officer'),
      body: { verdict: 'confirm', note: 'Seen with my own eyes.', evidenceDigest },
    }),
    200,
  );
  return businessId;
}

/** Waives what nobody has looked up, and returns the digest of the evidence afterwards. */
async function waived(service: TestService, tenant: Tenant, businessId: string): Promise<string> {
  const headers = await tenant.user('compliance_officer');
  const params = { path: { businessId } };
  for (const requirementKey of ['registry_active', 'account_protection_clear'])
    await success(
      service.api.POST('/v1/businesses/{businessId}/waivers', {
        params,
        headers,
        body: {
          action: 'granted',
          requirementKey,
          reasonCode: 'verified_elsewhere',
          note: 'Known from another account.',
        },
      }),
      201,
    );
  const { body } = await success(service.api.GET('/v1/businesses/{businessId}', { params, headers }));
  return body.evidenceDigest ?? '';
}
