/** Tests of input about businesses that is refused, or judged no, for what it names: documents, limits, currencies. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newApplication, newDocument } from '../operations/application-records.ts';
import { newBusiness } from '../operations/business-records.ts';
import { newOwnedBusiness } from '../operations/ownership.ts';
import { newActivePower, newEvaluation } from '../operations/powers.ts';
import { useService } from '../support/service.ts';

const service = await useService();
const { acme } = service;
const kyb = await acme.key(['kyb']);

type Graph = components['schemas']['OwnershipReplace'];
type Refusal = Pick<components['schemas']['Problem'], 'errors'>;

const refusal = async (
  method: 'POST' | 'PUT',
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<unknown> => {
  const answer = await service.request<Refusal>(method, `/v1/businesses/${path}`, { as: kyb, body, headers });
  return [answer.status, answer.body.errors?.map(({ pointer, code }) => `${pointer} ${code}`)];
};
const person = (key: string, more: object = {}) => ({
  key,
  kind: 'person' as const,
  name: `Person ${key}`,
  ...more,
});
const edge = (owner: string, more: object = {}) => ({
  owner,
  owned: 'root',
  source: 'declared' as const,
  ...more,
});
const own = async (graph: Graph): Promise<unknown> =>
  refusal('PUT', `${await newBusiness(service, acme)}/ownership`, graph, { 'If-Match': '"0"' });

describe('a document of an application', () => {
  it('is no evidence of a holding, no document of a power, and no document of its revocation', async () => {
    const documentId = await newDocument(service, acme, await newApplication(service, acme));
    const businessId = await newOwnedBusiness(service, acme);
    const powerId = await newActivePower(service, acme, businessId);
    expect([
      await own({ parties: [person('a')], edges: [edge('a', { evidenceDocumentId: documentId })] }),
      await refusal('POST', `${businessId}/powers`, { type: 'articles', validFrom: '2024-01-15', documentId }),
      await refusal('POST', `${businessId}/powers/${powerId}/revoke`, { reasonCode: 'resigned', documentId }),
    ]).toEqual([
      [422, ['/edges/0/evidenceDocumentId not_found']],
      [422, ['/documentId not_found']],
      [422, ['/documentId not_found']],
    ]);
  });
});

describe('a graph of owners', () => {
  it('has at most 2,000 holdings', async () => {
    const edges = Array.from({ length: 2001 }, () => edge('a', { capitalPercent: 1 }));
    expect(await own({ parties: [person('a')], edges })).toEqual([422, ['/edges too_many_items']]);
  });

  it('has no term of office that ends before it begins', async () => {
    const parties = [person('a', { roles: ['director'], validFrom: '2026-02-01', validTo: '2026-01-31' })];
    expect(await own({ parties, edges: [] })).toEqual([422, ['/parties/0/validTo range']]);
  });

  it('has at most 100 % of the votes of a company, whoever has its capital', async () => {
    const edges = [
      edge('a', { capitalPercent: 30, votingPercent: 60 }),
      edge('b', { capitalPercent: 30, votingPercent: 50 }),
    ];
    expect(await own({ parties: [person('a'), person('b')], edges })).toEqual([
      422,
      ['/edges/0 ownership_exceeds_100'],
    ]);
  });

  it('names all of its faults at once', async () => {
    const parties = [person('a', { taxId: '52998224724' }), person('b'), person('c')];
    const edges = [
      edge('a', { capitalPercent: 60 }),
      edge('b', { capitalPercent: 50.1234567 }),
      edge('a', { owned: 'b', capitalPercent: 10 }),
      edge('a', { capitalPercent: 1 }),
    ];
    expect(await own({ parties, edges })).toEqual([
      422,
      [
        '/parties/0/taxId check_digits',
        '/edges/1/capitalPercent too_many_decimals',
        '/edges/2/owned person_cannot_be_owned',
        '/edges/3 duplicate_edge',
        '/edges/0 ownership_exceeds_100',
        '/parties/2 disconnected_party',
      ],
    ]);
  });
});

describe('an act in another currency than the limit of a rule', () => {
  it('is not covered by the rule, and the answer says why', async () => {
    const businessId = await newOwnedBusiness(service, acme);
    await newActivePower(service, acme, businessId);
    const reasonsOf = async (currency: string): Promise<string[]> => {
      const act = { type: 'borrow', amount: { amount: 100, currency } } as const;
      const { reasons } = await newEvaluation(service, acme, businessId, { act, signers: [{ partyKey: 'ana' }] });
      return reasons.map(({ code }) => code);
    };
    expect([
      (await reasonsOf('USD')).includes('currency_mismatch'),
      (await reasonsOf('BRL')).includes('currency_mismatch'),
    ]).toEqual([true, false]);
  });
});
