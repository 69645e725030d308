/** Cases, their documents and their resolutions, made before a call about them. */
import type { components } from '../../server/contract/generated/client-types.ts';
import { multipart, success } from '../support/api.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { newApplication } from './application-records.ts';

type Schemas = components['schemas'];
type Created = Schemas['CaseCreate'];

/** Creates a case of nobody, about a new applicant unless the body names a subject. */
export async function newCase(
  service: TestService,
  tenant: Tenant,
  { as, ...body }: Partial<Created> & { readonly as?: Credential } = {},
): Promise<string> {
  const headers = as ?? (await tenant.key(['write']));
  const { body: created } = await success(
    service.api.POST('/v1/cases', {
      headers,
      body: {
        type: 'ad_hoc',
        ...(body.applicationId === undefined &&
          body.businessId === undefined && { applicationId: await newApplication(service, tenant, as) }),
        ...body,
      },
    }),
    201,
  );
  return created.id;
}

/** Reads a case as a compliance officer. */
export async function readCase(service: TestService, tenant: Tenant, caseId: string): Promise<Schemas['ReviewCase']> {
  const { body } = await success(
    service.api.GET('/v1/cases/{caseId}', {
      params: { path: { caseId } },
      headers: await tenant.user('compliance_officer'),
    }),
    200,
  );
  return body;
}

export async function newCaseDocument(service: TestService, tenant: Tenant, caseId: string): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/cases/{caseId}/documents', {
      params: { path: { caseId } },
      headers: await tenant.key(['write']),
      body: { type: 'financial_statement', side: 'single', file: new Blob([new Uint8Array(jpeg())]) },
      bodySerializer: multipart,
    }),
    201,
  );
  return body.id;
}

/** Writes a note on a case. */
export async function newNote(
  service: TestService,
  tenant: Tenant,
  caseId: string,
  text = 'The applicant has called.',
): Promise<void> {
  await success(
    service.api.POST('/v1/cases/{caseId}/notes', {
      params: { path: { caseId } },
      headers: await tenant.user('analyst', { purpose: 'proposes' }),
      body: { text },
    }),
    201,
  );
}

/** Creates a resolution that an analyst has proposed and that waits for the second reviewer. */
export async function newResolution(
  service: TestService,
  tenant: Tenant,
): Promise<{ readonly caseId: string; readonly resolutionId: string; readonly evidenceDigest: string }> {
  const caseId = await newCase(service, tenant);
  const { evidenceDigest = '' } = await readCase(service, tenant, caseId);
  const { body } = await success(
    service.api.POST('/v1/cases/{caseId}/resolve', {
      params: { path: { caseId } },
      headers: await tenant.user('analyst', { purpose: 'proposes' }),
      body: {
        outcome: 'confirmed_risk',
        reasonCodes: ['suspicion_confirmed'],
        note: 'The transfers have no plausible explanation.',
        evidenceDigest,
      },
    }),
    202,
  );
  return { caseId, resolutionId: body.id, evidenceDigest };
}

/** Creates a case that an analyst has resolved. */
export async function newResolvedCase(service: TestService, tenant: Tenant): Promise<string> {
  const caseId = await newCase(service, tenant);
  const { evidenceDigest = '' } = await readCase(service, tenant, caseId);
  await success(
    service.api.POST('/v1/cases/{caseId}/resolve', {
      params: { path: { caseId } },
      headers: await tenant.user('analyst'),
      body: {
        outcome: 'no_action',
        reasonCodes: ['duplicate_case'],
        note: 'The same question was answered last week.',
        evidenceDigest,
      },
    }),
    200,
  );
  return caseId;
}
