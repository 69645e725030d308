/** Fixture of the tests of cases: a service with people who work on cases, and calls about them. */
import type { components } from '../../server/contract/generated/client-types.ts';
import { newReviewedApplication } from '../operations/application-records.ts';
import { newCase, readCase } from '../operations/case-records.ts';
import {
  type Answer,
  type Credential,
  type Options,
  type Problem,
  type Tenant,
  useService,
} from '../support/service.ts';

type Schemas = components['schemas'];
export type Case = Schemas['ReviewCase'];
export type Resolution = Schemas['CaseResolution'];
/** Body of an answer that may be a refusal. */
type Refusable<T> = T & Omit<Problem, keyof T>;

/** Text of a resolution that the contract accepts. */
export const REASONING = 'The statement of account explains the transfers.';

export async function startCasesWorld(options?: Options) {
  const service = await useService(options);
  const tenant = await service.tenant();
  const [analyst, colleague, officer, second] = await Promise.all([
    tenant.person('analyst'),
    tenant.person('analyst'),
    tenant.person('compliance_officer'),
    tenant.person('compliance_officer'),
  ]);
  const call = <T>(method: string, path: string, as: Credential, body?: object): Promise<Answer<Refusable<T>>> =>
    service.request<Refusable<T>>(method, path, { as, ...(body !== undefined && { body }) });
  const open = (body: Partial<Schemas['CaseCreate']> = {}, of: Tenant = tenant): Promise<string> =>
    newCase(service, of, body);
  const read = async (id: string, of?: Tenant): Promise<Case> =>
    of === undefined ? (await call<Case>('GET', `/v1/cases/${id}`, officer.as)).body : readCase(service, of, id);
  const resolve = async (
    id: string,
    as: Credential = analyst.as,
    body: object = {},
  ): Promise<Answer<Refusable<Resolution>>> =>
    call<Resolution>('POST', `/v1/cases/${id}/resolve`, as, {
      outcome: 'cleared',
      reasonCodes: ['documents_sufficient'],
      note: REASONING,
      evidenceDigest: (await read(id)).evidenceDigest,
      ...body,
    });
  const review = async (
    id: string,
    resolutionId: string,
    as: Credential = officer.as,
    body: object = {},
  ): Promise<Answer<Refusable<Resolution>>> =>
    call<Resolution>('POST', `/v1/cases/${id}/resolutions/${resolutionId}/review`, as, {
      verdict: 'confirm',
      note: 'I have read the notes.',
      evidenceDigest: (await read(id)).evidenceDigest,
      ...body,
    });
  return {
    service,
    tenant,
    analyst,
    colleague,
    officer,
    second,
    call,
    open,
    read,
    resolve,
    review,
    reviewed: () => newReviewedApplication(service, tenant),
    patch: (id: string, body: object, as: Credential = analyst.as) => call<Case>('PATCH', `/v1/cases/${id}`, as, body),
    next: (as: Credential = analyst.as, body: object = {}) =>
      call<Schemas['NextCase']>('POST', '/v1/cases/next', as, body),
    list: async (query: string, as: Credential = analyst.as): Promise<Case[]> =>
      (await call<{ items: Case[] }>('GET', `/v1/cases?${query}`, as)).body.items,
    settings: (document: object) =>
      service.database.sql(
        `INSERT INTO tenant_settings (tenant_id, document) VALUES ($1, $2) ON CONFLICT (tenant_id) DO UPDATE
          SET document = tenant_settings.document || excluded.document`,
        [tenant.id, JSON.stringify(document)],
      ),
    due: () => service.running.runJob('cases.due'),
  };
}

/** Returns status and code of a refusal, and the pointer of its first error. */
export function refusalOf({ status, body }: Answer<Pick<Problem, 'code' | 'errors'>>): (string | number | undefined)[] {
  const [first] = body.errors ?? [];
  return [status, body.code, ...(first?.pointer === undefined ? [] : [first.pointer])];
}
