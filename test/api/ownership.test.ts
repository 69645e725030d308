/** Tests of the versions of the owners of a business, of what follows from them, and of what is refused. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newBusiness } from '../operations/business-records.ts';
import { graph, newOwnedBusiness } from '../operations/ownership.ts';
import { success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { type Credential, type Tenant, useService } from '../support/service.ts';

const service = await useService();

type Graph = components['schemas']['OwnershipReplace'];

const params = (businessId: string) => ({ path: { businessId } });
const put = (as: Credential, businessId: string, body: Graph, ifMatch?: string) =>
  service.api.PUT('/v1/businesses/{businessId}/ownership', {
    params: params(businessId),
    headers: { ...as, ...(ifMatch !== undefined && { 'If-Match': ifMatch }) },
    body,
  });
const read = async (tenant: Tenant, businessId: string, query: object = {}) =>
  success(
    service.api.GET('/v1/businesses/{businessId}/ownership', {
      params: { ...params(businessId), query },
      headers: await tenant.key(['read']),
    }),
  );
const owners = async (tenant: Tenant, businessId: string, query: object = {}) =>
  service.api.GET('/v1/businesses/{businessId}/beneficial-owners', {
    params: { ...params(businessId), query },
    headers: await tenant.key(['read']),
  });
const person = (key: string, more: object = {}) =>
  ({
    key,
    kind: 'person',
    name: `Person ${key}`,
    ...more,
  }) as const;
const edge = (owner: string, owned: string, capitalPercent: number | null, more: object = {}) =>
  ({
    owner,
    owned,
    capitalPercent,
    source: 'declared',
    ...more,
  }) as const;

describe('the ownership of a business', () => {
  it('is version 0, in which everything is unresolved, until owners are recorded', async () => {
    const tenant = await service.tenant();
    const { body, headers } = await read(tenant, await newBusiness(service, tenant));
    expect(headers.get('etag')).toBe('"0"');
    expect(body).toMatchObject({
      version: 0,
      parties: [],
      edges: [],
      createdAt: null,
    });
    expect(body.assessment).toMatchObject({ complete: false, unresolvedPercent: 100, items: [] });
  });

  it('is computed when it is recorded, and shows who owns through a holding', async () => {
    const tenant = await service.tenant();
    const { body } = await read(tenant, await newOwnedBusiness(service, tenant));
    const { items, ...assessment } = body.assessment;
    expect(assessment).toMatchObject({ complete: false, unresolvedPercent: 40, threshold: { percent: 25 } });
    expect(items.map((item) => [item.partyKey, item.isBeneficialOwner, item.economicPercent])).toEqual([
      ['ana', 'yes', { known: 30, worstCase: 70 }],
      ['bruno', 'yes', { known: 30, worstCase: 70 }],
    ]);
    expect(items[0]!.paths).toEqual([{ nodes: ['ana', 'holding', 'root'], percent: 30 }]);
  });

  it('demands If-Match, and is replaced only by somebody who has read the latest version', async () => {
    const tenant = await service.tenant();
    const [as, businessId] = [await tenant.key(['kyb']), await newBusiness(service, tenant)];
    const { response, error } = await put(as, businessId, graph);
    expect([response.status, error?.code]).toEqual([428, 'precondition_required']);
    await success(put(as, businessId, graph, '"0"'));
    expect((await put(as, businessId, graph, '"0"')).error).toMatchObject({ currentVersion: 1 });
    const { body } = await success(put(as, businessId, { parties: [], edges: [] }, '"1"'));
    expect(body.version).toBe(2);
  });

  it('keeps every version, and one writer of several at once wins', async () => {
    const tenant = await service.tenant();
    const [as, businessId] = [await tenant.key(['kyb']), await newBusiness(service, tenant)];
    const answers = await Promise.all(Array.from({ length: 5 }, () => put(as, businessId, graph, '"0"')));
    expect(answers.map(({ response }) => response.status).sort()).toEqual([200, 412, 412, 412, 412]);
    await success(put(as, businessId, { parties: [person('carla')], edges: [edge('carla', 'root', 100)] }, '"1"'));
    expect((await read(tenant, businessId, { versionNumber: 1 })).body.parties).toHaveLength(3);
    expect((await read(tenant, businessId)).body).toMatchObject({ version: 2, assessment: { complete: true } });
    const list = async (query: object) =>
      (
        await success(
          service.api.GET('/v1/businesses/{businessId}/ownership/versions', {
            params: { ...params(businessId), query },
            headers: await tenant.key(['read']),
          }),
        )
      ).body;
    const first = await list({ limit: 1 });
    expect(first.items).toMatchObject([
      {
        version: 2,
        partyCount: 1,
        complete: true,
        beneficialOwners: 1,
      },
    ]);
    expect((await list({ limit: 1, cursor: first.cursor })).items).toMatchObject([
      { version: 1, partyCount: 3, unresolvedPercent: 40 },
    ]);
    const missing = await service.api.GET('/v1/businesses/{businessId}/ownership', {
      params: { ...params(businessId), query: { versionNumber: 3 } },
      headers: await tenant.key(['read']),
    });
    expect(missing.response.status).toBe(404);
  });

  it('counts the holdings of the day that is asked about', async () => {
    const tenant = await service.tenant();
    const [as, businessId] = [await tenant.key(['kyb']), await newBusiness(service, tenant)];
    const edges = [
      edge('ana', 'root', 100, { validTo: '2026-01-31' }),
      edge('bia', 'root', 100, { validFrom: '2026-02-01' }),
    ];
    await success(put(as, businessId, { parties: [person('ana'), person('bia')], edges }, '"0"'));
    const yes = async (asOf: string) =>
      (await read(tenant, businessId, { asOf })).body.assessment.items
        .filter(({ isBeneficialOwner }) => isBeneficialOwner === 'yes')
        .map(({ partyKey }) => partyKey);
    expect([await yes('2026-01-31'), await yes('2026-02-01')]).toEqual([['ana'], ['bia']]);
  });

  it('takes two keys for one person if, and only if, both have the same full CPF', async () => {
    const tenant = await service.tenant();
    const [as, businessId] = [await tenant.key(['kyb']), await newBusiness(service, tenant)];
    const of = (taxId: string): Graph => ({
      parties: [person('ana', { taxId }), person('ana-2', { taxId }), person('bia', { taxId: null })],
      edges: [edge('ana', 'root', 15), edge('ana-2', 'root', 15), edge('bia', 'root', 70)],
    });
    const { body } = await success(put(as, businessId, of('529.982.247-25'), '"0"'));
    expect(body.assessment.items.map((item) => [item.partyKey, item.otherKeys, item.economicPercent.known])).toEqual([
      ['bia', [], 70],
      ['ana', ['ana-2'], 30],
    ]);
    const { body: masked } = await success(put(as, businessId, of('***982247**'), '"1"'));
    expect(masked.assessment.items.map((item) => item.economicPercent.known)).toEqual([70, 15, 15]);
  });

  it('shows names as initials to readers of masked data', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const { body } = await success(
      service.api.GET('/v1/businesses/{businessId}/ownership', {
        params: params(businessId),
        headers: await tenant.user('viewer'),
      }),
    );
    expect(JSON.stringify(body)).not.toContain('Souza');
    expect(body.parties[0]).toMatchObject({ key: 'ana', name: 'A*** S***' });
  });
});

describe('a graph of owners is refused, with the member that is wrong,', () => {
  const refusals: readonly (readonly [string, Graph, readonly string[]])[] = [
    [
      'if holdings add up to more than 100 %',
      { parties: [person('a'), person('b')], edges: [edge('a', 'root', 60), edge('b', 'root', 50)] },
      ['/edges/0 ownership_exceeds_100'],
    ],
    [
      'if a person is owned',
      { parties: [person('a'), person('b')], edges: [edge('a', 'root', 60), edge('b', 'a', 50)] },
      ['/edges/1/owned person_cannot_be_owned'],
    ],
    [
      'if a party has neither shares nor a role',
      { parties: [person('a')], edges: [] },
      ['/parties/0 disconnected_party'],
    ],
    [
      'if a holding is repeated',
      { parties: [person('a')], edges: [edge('a', 'root', 10), edge('a', 'root', 20)] },
      ['/edges/1 duplicate_edge'],
    ],
    [
      'if a percentage has seven decimals',
      { parties: [person('a')], edges: [edge('a', 'root', 33.3333333)] },
      ['/edges/0/capitalPercent too_many_decimals'],
    ],
    [
      'if a key is used twice or is unknown',
      { parties: [person('a'), person('a')], edges: [edge('a', 'root', 10), edge('x', 'root', 10)] },
      ['/parties/1/key duplicate_party', '/edges/1/owner unknown_party'],
    ],
    [
      'if a CPF has wrong check digits',
      { parties: [person('a', { taxId: '52998224724' })], edges: [edge('a', 'root', 10)] },
      ['/parties/0/taxId check_digits'],
    ],
    [
      'if a masked CPF has the wrong shape',
      { parties: [person('a', { taxId: '***98224**' })], edges: [edge('a', 'root', 10)] },
      ['/parties/0/taxId pattern'],
    ],
    [
      'if a company has a masked CPF, or the number of a persona in live',
      {
        parties: [
          {
            key: 'a',
            kind: 'company',
            name: 'A Ltda',
            taxId: '***982247**',
          },
          {
            key: 'b',
            kind: 'company',
            name: 'B Ltda',
            taxId: 'SANDBOX1000170',
          },
        ],
        edges: [edge('a', 'root', 10), edge('b', 'root', 10)],
      },
      ['/parties/0/taxId masked', '/parties/1/taxId check_digits'],
    ],
    [
      'if a holding ends before it begins',
      {
        parties: [person('a')],
        edges: [edge('a', 'root', 10, { validFrom: '2026-02-01', validTo: '2026-01-31' })],
      },
      ['/edges/0/validTo range'],
    ],
    [
      'if its evidence is no document of the business',
      {
        parties: [person('a')],
        edges: [edge('a', 'root', 10, { evidenceDocumentId: '0197f301-2b1e-7d3a-a4c2-7e9b0d1f6a21' })],
      },
      ['/edges/0/evidenceDocumentId not_found'],
    ],
    [
      'if it has 501 parties',
      { parties: Array.from({ length: 501 }, (_, index) => person(`p${index}`)), edges: [] },
      ['/parties too_many_items'],
    ],
  ];

  it.each(refusals)('%s', async (_, body, expected) => {
    const tenant = await service.tenant();
    const businessId = await newBusiness(service, tenant);
    const { response, error } = await put(await tenant.key(['kyb']), businessId, body, '"0"');
    expect([response.status, error?.errors?.map(({ pointer, code }) => `${pointer} ${code}`)]).toEqual([422, expected]);
  });
});

describe('the beneficial owners', () => {
  it('may be asked for by a stricter threshold than that of the settings, and by no other', async () => {
    const tenant = await service.tenant();
    const [as, businessId] = [await tenant.key(['kyb']), await newBusiness(service, tenant)];
    const edges = [edge('a', 'root', 25), edge('b', 'root', 12), edge('c', 'root', 63)];
    await success(put(as, businessId, { parties: [person('a'), person('b'), person('c')], edges }, '"0"'));
    const found = async (query: object) =>
      (await owners(tenant, businessId, query))
        .data!.assessment.items.filter(({ isBeneficialOwner }) => isBeneficialOwner === 'yes')
        .map(({ partyKey }) => partyKey);
    expect(await found({})).toEqual(['c', 'a']);
    expect(await found({ thresholdPercent: 12 })).toEqual(['c', 'a', 'b']);
    expect(await found({ thresholdPercent: 12, comparator: 'gt' })).toEqual(['c', 'a']);
    for (const [query, code] of each([
      [{ thresholdPercent: 26 }, 'threshold_above_policy'],
      [{ comparator: 'gt' }, 'threshold_above_policy'],
      [{ thresholdPercent: 12.1234567 }, 'too_many_decimals'],
    ] as const))
      expect((await owners(tenant, businessId, query)).error).toMatchObject({
        status: 400,
        errors: [{ parameter: 'thresholdPercent', code }],
      });
  });
});
