/** Fixture of the tests of a business with its owners, its powers and its decisions. */
import type { components } from '../../server/contract/generated/client-types.ts';
import { newBusiness, newBusinessDocument, newReviewedBusiness } from '../operations/business-records.ts';
import { graph } from '../operations/ownership.ts';
import type { Answer, Credential, TestService } from '../support/service.ts';

export type Schemas = components['schemas'];
export type Business = Schemas['Business'];
/** Members of a refusal, without those that records have too. */
export type Refused = Partial<Pick<Schemas['Problem'], 'code' | 'errors' | 'currentStatus' | 'holdUntil' | 'changed'>>;

export { graph, newBusiness, newBusinessDocument };

/** Owners who are identified and hold the whole company. */
export const wholeGraph = {
  parties: [
    {
      key: 'ana',
      kind: 'person',
      name: 'Ana Souza',
      taxId: '52998224725',
      roles: ['administrator'],
    },
    {
      key: 'bruno',
      kind: 'person',
      name: 'Bruno Lima',
      taxId: '11144477735',
      roles: ['administrator'],
    },
  ],
  edges: [
    {
      owner: 'ana',
      owned: 'root',
      capitalPercent: 60,
      source: 'declared',
    },
    {
      owner: 'bruno',
      owned: 'root',
      capitalPercent: 40,
      source: 'declared',
    },
  ],
} satisfies Schemas['OwnershipReplace'];

/** Returns short forms of the calls about businesses of the tenant acme. */
export async function businessWorld(service: TestService) {
  const { acme } = service;
  const [key, analyst, colleague, officer, eraser] = await Promise.all([
    acme.key(['kyb']),
    acme.user('analyst', { purpose: 'proposes' }),
    acme.user('analyst', { purpose: 'colleague' }),
    acme.user('compliance_officer'),
    acme.user('compliance_officer', { secondFactor: true }),
  ]);
  const call = <Body = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    { as = key, body, headers = {} }: { as?: Credential; body?: object; headers?: Record<string, string> } = {},
  ): Promise<Answer<Body & Refused>> =>
    service.request<Body & Refused>(method, `/v1/businesses/${path}`, {
      as,
      headers,
      ...(body !== undefined && { body }),
    });
  const read = async (id: string, as: Credential = officer): Promise<Business> =>
    (await call<Business>('GET', id, { as })).body;
  return {
    key,
    analyst,
    colleague,
    officer,
    eraser,
    call,
    read,
    /** Replaces the owners, from the version that there is. */
    own: async (id: string, body: object = wholeGraph, as: Credential = key, version?: number) => {
      const { headers } = await call('GET', `${id}/ownership`, { as: officer });
      const tag = version === undefined ? (headers.get('etag') ?? '"0"') : `"${version}"`;
      return call<Schemas['Ownership']>('PUT', `${id}/ownership`, { as, body, headers: { 'If-Match': tag } });
    },
    requirement: async (id: string, wanted: string) =>
      (await read(id)).requirements!.items.find(({ key: name }) => name === wanted),
    /** Creates a rejection of a business that waits for a second person. */
    waiting: async (): Promise<{ id: string; decisionId: string; evidenceDigest: string }> => {
      const { businessId: id, evidenceDigest } = await newReviewedBusiness(service, acme);
      const { body } = await call<Schemas['Decision']>('POST', `${id}/decisions`, {
        as: analyst,
        body: rejection(evidenceDigest),
      });
      return { id, decisionId: body.id, evidenceDigest };
    },
    review: (id: string, decisionId: string, evidenceDigest: string, as: Credential = officer) =>
      call<Schemas['Decision']>('POST', `${id}/decisions/${decisionId}/review`, {
        as,
        body: { verdict: 'confirm', note: 'Seen with my own eyes.', evidenceDigest },
      }),
    erase: (id: string, as: Credential = eraser, body: object = { reason: 'data_subject_request' }) =>
      call<Schemas['BusinessErasure']>('POST', `${id}/erase`, { as, body }),
  };
}

/** Returns the body of a final rejection. */
export const rejection = (evidenceDigest: string) => ({
  outcome: 'reject',
  rejectType: 'final',
  reasonCodes: ['document_unreadable'],
  note: 'The articles cannot be read.',
  evidenceDigest,
});
