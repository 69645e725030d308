/** API tests of graphs of owners that would keep the service busy: which are answered, and how others are refused. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import type { OwnershipGraph } from '../../server/ownership/graph.ts';
import { HOSTILE, ladder } from '../../server/ownership/testing/large-graphs.ts';
import { newBusiness } from '../operations/business-records.ts';
import { newSandboxBusiness } from '../operations/registry.ts';
import { each } from '../support/each.ts';
import { type Credential, useService } from '../support/service.ts';

type Schemas = components['schemas'];
type Refused = Pick<Schemas['Problem'], 'code' | 'errors'>;

const service = await useService();
const POINT = 1_000_000;
const intricate = HOSTILE['a loop that passes on 99.999 %']!(500);

/** Returns a graph of the engine as the body of a request. Its holdings are in force from a day on. */
const bodyOf = ({ parties, edges }: OwnershipGraph, validFrom: string | null = null): Schemas['OwnershipReplace'] => ({
  parties: parties.map(({ key, kind }) => ({
    key,
    kind,
    name: `Party ${key}`,
    roles: ['partner'],
  })),
  edges: edges.map(({ owner, owned, capital }) => ({
    owner,
    owned,
    capitalPercent: capital === null ? null : capital / POINT,
    source: 'declared',
    validFrom,
  })),
});
const put = (businessId: string, as: Credential, body: object) =>
  service.request<Schemas['Ownership'] & Refused>('PUT', `/v1/businesses/${businessId}/ownership`, {
    as,
    headers: { 'If-Match': '"0"' },
    body,
  });

describe('a graph of owners', () => {
  it('is answered with chains of all 450 persons, although chains double with each of twenty levels', async () => {
    const tenant = await service.tenant();
    const businessId = await newBusiness(service, tenant);
    const { status, body } = await put(businessId, await tenant.key(['kyb']), bodyOf(ladder(20, 450)));
    expect([status, body.assessment.items.length]).toEqual([200, 450]);
    for (const { partyKey, paths } of each(body.assessment.items)) {
      expect(paths.length, partyKey).toBeGreaterThan(0);
      expect([paths[0]!.nodes.length, paths[0]!.nodes[0], paths[0]!.nodes.at(-1)]).toEqual([22, partyKey, 'root']);
    }
  });

  it('is refused with its holdings if it cannot be computed in a moment, and nothing is recorded', async () => {
    const tenant = await service.tenant();
    const businessId = await newBusiness(service, tenant);
    const as = await tenant.key(['kyb', 'read']);
    const { status, body } = await put(businessId, as, bodyOf(intricate));
    expect([status, body.code, body.errors]).toMatchObject([
      422,
      'validation_failed',
      [{ pointer: '/edges', code: 'too_intricate' }],
    ]);
    const { headers } = await service.request('GET', `/v1/businesses/${businessId}/ownership`, { as });
    expect(headers.get('etag')).toBe('"0"');
  });

  it('that was accepted is never refused later, unless another day or a stricter threshold is asked for', async () => {
    const { tenant, businessId } = await newSandboxBusiness(service);
    const as = await tenant.key(['kyb', 'read', 'admin'], { environment: 'test' });
    const later = new Date(service.running.services.clock().getTime() + 10 * 86_400_000).toISOString().slice(0, 10);
    const { status, body } = await put(businessId, as, bodyOf(intricate, later));
    expect(status).toBe(200);
    const get = async (path: string) => {
      const answer = await service.request<Schemas['BeneficialOwners'] & Refused>(
        'GET',
        `/v1/businesses/${businessId}/${path}`,
        { as },
      );
      return [answer.status, answer.body.assessment ?? answer.body.errors];
    };
    const refusal = (parameter: string) => [400, [expect.objectContaining({ parameter, code: 'too_intricate' })]];
    expect(await get(`ownership?asOf=${later}`)).toEqual(refusal('asOf'));
    expect(await get(`beneficial-owners?asOf=${later}`)).toEqual(refusal('asOf'));
    expect(await get('beneficial-owners')).toEqual([200, body.assessment]);
    const advanced = await service.request('POST', '/v1/sandbox/simulations', {
      as,
      body: { type: 'advance_clock', parameters: { seconds: 20 * 86_400 } },
    });
    expect(advanced.status).toBe(202);
    expect(await get('beneficial-owners')).toEqual([200, body.assessment]);
    expect(await get('ownership')).toEqual([200, body.assessment]);
    expect(await get('beneficial-owners?thresholdPercent=10')).toEqual(refusal('thresholdPercent'));
  });
});

it('Beneficial owners of today are those of the record for as long as the same holdings are in force', async () => {
  const { tenant, businessId } = await newSandboxBusiness(service);
  const as = await tenant.key(['kyb', 'read', 'admin'], { environment: 'test' });
  const last = new Date(service.running.services.clock().getTime() + 10 * 86_400_000).toISOString().slice(0, 10);
  const person = (key: string) => ({ key, kind: 'person', name: `Person ${key}` });
  const held = { owned: 'root', source: 'declared' };
  const { body: recorded } = await put(businessId, as, {
    parties: [person('ana'), person('bia')],
    edges: [
      {
        ...held,
        owner: 'ana',
        capitalPercent: 60,
        validTo: last,
      },
      { ...held, owner: 'bia', capitalPercent: 40 },
    ],
  });
  const found = async (days: number) => {
    const advanced = await service.request('POST', '/v1/sandbox/simulations', {
      as,
      body: { type: 'advance_clock', parameters: { seconds: days * 86_400 } },
    });
    const { body } = await service.request<Schemas['BeneficialOwners']>(
      'GET',
      `/v1/businesses/${businessId}/beneficial-owners`,
      { as },
    );
    return { status: advanced.status, assessment: body.assessment };
  };
  const { asOf, ...same } = recorded.assessment;
  const soon = await found(5);
  expect(soon).toMatchObject({ status: 202, assessment: same });
  expect(soon.assessment.asOf > asOf).toBe(true);
  const { assessment } = await found(15);
  expect(assessment.items.map(({ partyKey, economicPercent }) => [partyKey, economicPercent])).toEqual([
    ['bia', { known: 40, worstCase: 100 }],
    ['ana', { known: 0, worstCase: 60 }],
  ]);
});
