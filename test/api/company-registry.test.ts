/** Tests of the registry of companies: the personas, the differences from what is declared, and what follows. */
import { describe, expect, it } from 'vitest';
import { companies } from '../../server/providers/personas/index.ts';
import { newBusiness } from '../operations/business-records.ts';
import type { Answer, Tenant } from '../support/service.ts';
import { useService } from '../support/service.ts';
import type { Refused, Schemas } from './business-world.ts';

const service = await useService();
const tenant: Tenant = await service.tenant();
await service.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [tenant.id]);
const key = await tenant.key(['kyb'], { environment: 'test' });
const reader = await tenant.key(['read'], { environment: 'test' });
const [analyst, officer] = [await tenant.user('analyst'), await tenant.user('compliance_officer')];

const call = <Body = Record<string, unknown>>(
  method: 'GET' | 'PATCH' | 'POST' | 'PUT',
  path: string,
  { as = key, body, headers = {} }: { as?: typeof key; body?: object; headers?: Record<string, string> } = {},
): Promise<Answer<Body & Refused>> =>
  service.request<Body & Refused>(method, `/v1/businesses${path}`, {
    as,
    headers,
    ...(body !== undefined && { body }),
  });
const ask = (id: string) => call<Schemas['BusinessRegistry']>('POST', `/${id}/registry`);
const registry = async (id: string) =>
  (await call<Schemas['BusinessRegistry']>('GET', `/${id}/registry`, { as: reader })).body;
const requirement = async (id: string, wanted: string) =>
  (await call<Schemas['Business']>('GET', `/${id}`, { as: reader })).body.requirements!.items.find(
    (item) => item.key === wanted,
  );
const personaCalled = (name: string) => companies.find((one) => one.key === name)!;
/** Records a persona once; each registration is recorded once. */
const recorded = new Map<string, Promise<string>>();
const persona = (name: string): Promise<string> => {
  const made =
    recorded.get(name) ??
    call<{ id: string }>('POST', '', {
      body: {
        legalName: personaCalled(name).name,
        legalForm: 'ltda',
        level: 'enhanced',
        registration: { type: 'cnpj', number: personaCalled(name).taxId },
      },
    }).then(({ body }) => body.id);
  recorded.set(name, made);
  return made;
};
/** Returns a persona whose declared name is another one than the registered. */
const misnamed = async (name: string, legalName: string): Promise<string> => {
  const id = await persona(name);
  await ask(id);
  await call('PATCH', `/${id}`, { body: { legalName } });
  return id;
};

/** Outcomes that follow from owners, powers and people, which the test of personas of companies shows. */
const ELSEWHERE = [
  'ownership_layers_3',
  'beneficial_owner_26_percent',
  'ownership_cycle',
  'beneficial_owner_sanctioned',
  'two_signatures_above_limit',
  'mandate_expired',
];

describe('a persona', () => {
  it.each(companies.map(({ key: name, outcomes }) => [name, outcomes] as const))(
    'has the outcomes of its description at the registry: %s',
    async (name, outcomes) => {
      const id = await persona(name);
      const { status, body } = await ask(id);
      const found = [
        ...(status === 503 ? ['registry_outage'] : []),
        ...(status === 201 && body.answer?.situation === 'active' ? ['registry_active'] : []),
        ...(status === 201 && body.answer?.situation === 'closed' ? ['registry_closed'] : []),
        ...(name === 'active_company' && body.answer?.partners.length === 2 ? ['partners_2'] : []),
        ...(body.answer != null && body.answer.partners.every(({ capitalPercent }) => capitalPercent === null)
          ? ['partners_without_percentages']
          : []),
      ];
      expect(found).toEqual(outcomes.filter((outcome) => !ELSEWHERE.includes(outcome)));
    },
  );

  it('that is closed cannot be waived and may not sign', async () => {
    const id = await persona('closed_company');
    await ask(id);
    expect(await requirement(id, 'registry_active')).toMatchObject({
      status: 'failed',
      reasonCode: 'registry_not_active',
    });
    const waived = await call('POST', `/${id}/waivers`, {
      as: officer,
      body: {
        action: 'granted',
        requirementKey: 'registry_active',
        reasonCode: 'other',
        note: 'Known from another account.',
      },
    });
    expect(waived.body.errors).toMatchObject([{ code: 'not_waivable' }]);
    const { body } = await call<Schemas['SigningEvaluation']>('POST', `/${id}/signing-evaluations`, {
      body: { act: { type: 'borrow' } },
    });
    expect([body.result, body.reasons[0]?.code]).toEqual(['not_authorized', 'business_not_active']);
  });

  it('of whose partners the registry makes a draft that can be accepted as it is', async () => {
    const id = await persona('active_company');
    const { draft } = (await ask(id)).body;
    expect(draft!.edges.map(({ capitalPercent, source }) => [capitalPercent, source])).toEqual([
      [60, 'registry'],
      [40, 'registry'],
    ]);
    const { status, body } = await call<Schemas['Ownership']>('PUT', `/${id}/ownership`, {
      body: draft!,
      headers: { 'If-Match': '"0"' },
    });
    expect([status, body.assessment.complete]).toEqual([200, true]);
    expect((await registry(id)).differences).toEqual([]);
    expect(await requirement(id, 'officers_match')).toMatchObject({ status: 'verified' });
    // The register masks the numbers, so nobody is identified yet.
    expect(await requirement(id, 'bo_identified')).toMatchObject({ reasonCode: 'owners_not_identified' });
  });
});

describe('a difference from the registry', () => {
  it('is found for names and for owners, keeps its resolution, and ends when it is gone', async () => {
    const id = await misnamed('joint_signature', 'Outra Coisa Ltda');
    await ask(id);
    await call('PUT', `/${id}/ownership`, {
      headers: { 'If-Match': '"0"' },
      body: {
        parties: [
          {
            key: 'lia',
            kind: 'person',
            name: 'LIA CAMPOS',
            taxId: '***789012**',
            roles: ['administrator'],
          },
          { key: 'zeca', kind: 'person', name: 'Zeca Prado' },
        ],
        edges: [
          {
            owner: 'lia',
            owned: 'root',
            capitalPercent: 50,
            source: 'declared',
          },
          {
            owner: 'zeca',
            owned: 'root',
            capitalPercent: 50,
            source: 'declared',
          },
        ],
      },
    });
    const { differences } = await registry(id);
    expect(differences.map(({ field, declared, registered }) => [field, declared, registered])).toEqual([
      ['legal_form', 'ltda', 'sa_closed'],
      ['legal_name', 'Outra Coisa Ltda', 'Dupla Assinatura S.A.'],
      ['partner_not_declared', null, 'Nuno Braga'],
      ['owner_not_registered', 'Zeca Prado', null],
      ['role', 'LIA CAMPOS: administrator', 'Lia Campos: director'],
    ]);
    expect(await requirement(id, 'officers_match')).toMatchObject({ reasonCode: 'differences_open' });
    for (const one of differences) {
      const resolved = await call<Schemas['RegistryDifference']>('POST', `/${id}/differences/${one.id}/resolve`, {
        as: analyst,
        body: { resolution: 'declared_right', note: 'The amendment is not registered yet.' },
      });
      expect([resolved.status, resolved.body.resolution]).toEqual([200, 'declared_right']);
    }
    expect(await requirement(id, 'officers_match')).toMatchObject({ status: 'verified' });
    const again = (await ask(id)).body.differences;
    expect(again.map(({ id: same, resolution }) => [same, resolution])).toEqual(
      differences.map(({ id: same }) => [same, 'declared_right']),
    );
    await call('PUT', `/${id}/ownership`, {
      headers: { 'If-Match': '"1"' },
      body: {
        parties: [
          {
            key: 'lia',
            kind: 'person',
            name: 'Lia Campos',
            taxId: '***789012**',
            roles: ['director'],
          },
          {
            key: 'nuno',
            kind: 'person',
            name: 'Nuno Braga',
            taxId: '***890123**',
            roles: ['director'],
          },
        ],
        edges: [
          {
            owner: 'lia',
            owned: 'root',
            capitalPercent: 50,
            source: 'declared',
          },
          {
            owner: 'nuno',
            owned: 'root',
            capitalPercent: 50,
            source: 'declared',
          },
        ],
      },
    });
    expect((await registry(id)).differences.map(({ field }) => field)).toEqual(['legal_form', 'legal_name']);
  });

  it('is hidden in its values from readers who see persons masked', async () => {
    const id = await misnamed('expired_mandate', 'Nome Declarado Ltda');
    await ask(id);
    const masked = await tenant.key(['read'], { environment: 'test', personalData: 'masked' });
    const { text } = await call('GET', `/${id}/registry`, { as: masked });
    expect(text).not.toMatch(/Olga|Nome Declarado/);
  });
});

describe('a registry', () => {
  it('is not there in live, and the refusal says so', async () => {
    const { acme } = service;
    const id = await newBusiness(service, acme);
    const refused = await service.request('POST', `/v1/businesses/${id}/registry`, { as: await acme.key(['kyb']) });
    expect([refused.status, (refused.body as Refused).code]).toEqual([409, 'provider_not_configured']);
  });

  it('knows every company of the sandbox that is no persona as active, under its declared name', async () => {
    const id = await newBusiness(service, tenant, key);
    expect((await registry(id)).answer).toBeNull();
    const { body } = await ask(id);
    expect(body).toMatchObject({
      answer: { situation: 'active', partners: [], source: 'sandbox' },
      draft: { parties: [] },
      differences: [],
    });
    expect(body.answer!.contentHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('that does not answer leaves no trace', async () => {
    const id = await persona('registry_outage');
    expect((await ask(id)).status).toBe(503);
    expect((await registry(id)).answer).toBeNull();
  });
});
