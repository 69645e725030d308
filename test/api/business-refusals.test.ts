/**
 * Tests of what a business is refused once it has ended, has used up a limit, or is asked for what it does not have.
 */
import { describe, expect, it } from 'vitest';
import { newDecidedBusiness, newReviewedBusiness } from '../operations/business-records.ts';
import { newDifference } from '../operations/registry.ts';
import { type Tenant, useService } from '../support/service.ts';
import { businessWorld, newBusiness, newBusinessDocument, type Refused, wholeGraph } from './business-world.ts';

const service = await useService();
const { acme } = service;
const { key, analyst, officer, call, own, read } = await businessWorld(service);

const people = {
  parties: [
    { partyKey: 'ana', fullName: 'Ana Souza' },
    { partyKey: 'bruno', fullName: 'Bruno Lima' },
  ],
  level: 'basic',
};
const lookedUp = async (id: string) => ({
  requirementKey: 'registry_active',
  outcome: 'pass',
  source: 'Register of companies, by CNPJ',
  lookedUpAt: service.running.services.clock().toISOString(),
  note: 'The company is active.',
  evidenceDocumentId: await newBusinessDocument(service, acme, id),
});
const question = {
  requirementKey: 'constitutive_document',
  reasonCode: 'document_unreadable',
  messageToApplicant: 'Please send the articles again.',
  documentType: 'articles',
};

describe('a business that was withdrawn', () => {
  it('is not looked up, its differences stay as they are, and neither look-ups nor people are added', async () => {
    const id = await newBusiness(service, acme);
    await own(id, wholeGraph);
    const differenceId = await newDifference(service, acme, id);
    const attestation = await lookedUp(id);
    expect((await call('POST', `${id}/withdraw`, { body: { reasonCode: 'duplicate' } })).status).toBe(200);
    const before = await read(id);
    const refusals = [
      await call('POST', `${id}/registry`),
      await call('POST', `${id}/differences/${differenceId}/resolve`, {
        as: analyst,
        body: { resolution: 'declared_right', note: 'The amendment is not registered yet.' },
      }),
      await call('POST', `${id}/parties/applications`, { body: people }),
      await call('POST', `${id}/attestations`, { as: analyst, body: attestation }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([409, 'business_closed']));
    expect(await read(id)).toEqual(before);
  });
});

describe('a requirement that a business does not have', () => {
  it('is neither attested, nor waived, nor asked for', async () => {
    const { businessId: id } = await newReviewedBusiness(service, acme, 'standard');
    const requirementKey = 'colour_of_eyes';
    const refusals = [
      await call('POST', `${id}/attestations`, { as: analyst, body: { ...(await lookedUp(id)), requirementKey } }),
      await call('POST', `${id}/waivers`, {
        as: officer,
        body: {
          action: 'granted',
          requirementKey,
          reasonCode: 'not_obtainable',
          note: 'The register is down.',
        },
      }),
      await call('POST', `${id}/information-requests`, {
        as: analyst,
        body: { items: [{ ...question, requirementKey }] },
      }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.code, body.errors?.map(({ pointer }) => pointer)])).toEqual(
      [
        [422, 'unknown_requirement', ['/requirementKey']],
        [422, 'unknown_requirement', ['/requirementKey']],
        [422, 'unknown_requirement', ['/items/0/requirementKey']],
      ],
    );
  });
});

describe('a limit', () => {
  it('of answers ends the questions to a business that has answered as often as the policy says', async () => {
    const tenant = await service.tenant();
    const owner = await tenant.user('owner', { secondFactor: true });
    const { headers } = await service.request('GET', '/v1/settings', { as: owner });
    const changed = await service.request('PATCH', '/v1/settings', {
      as: owner,
      body: { decisionPolicy: { resubmissionLimit: 1 } },
      headers: { 'If-Match': headers.get('etag') ?? '' },
    });
    expect(changed.status).toBe(200);
    const { businessId: id } = await newReviewedBusiness(service, tenant, 'standard');
    const as = await tenant.user('analyst');
    const ask = () => call('POST', `${id}/information-requests`, { as, body: { items: [question] } });
    expect((await ask()).status).toBe(201);
    await newBusinessDocument(service, tenant, id);
    const { status, body } = await call('POST', `${id}/submit`, { as: await tenant.key(['kyb']) });
    expect([status, body]).toMatchObject([202, { resubmissionCount: 1 }]);
    const refused = await ask();
    expect([refused.status, refused.body.code]).toEqual([409, 'resubmission_limit']);
  });

  it('of applications admits all people of a business or none', async () => {
    const tenant: Tenant = await service.tenant();
    await service.database.sql('UPDATE tenant SET quotas = $2 WHERE id = $1', [tenant.id, { applicationsPerMonth: 1 }]);
    const as = await tenant.key(['kyb']);
    const id = await newBusiness(service, tenant, as);
    await call('PUT', `${id}/ownership`, { as, body: wholeGraph, headers: { 'If-Match': '"0"' } });
    const onboard = (parties: readonly object[]) =>
      call('POST', `${id}/parties/applications`, { as, body: { ...people, parties } });
    const refused = await onboard(people.parties);
    expect([refused.status, refused.body.code]).toEqual([409, 'quota_exceeded']);
    expect(await service.database.sql('SELECT FROM application WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    expect((await onboard(people.parties.slice(1))).status).toBe(201);
  });
});

it('The relationship with a business ends once, and keeps the date of its end', async () => {
  const id = await newDecidedBusiness(service, acme);
  const end = () => call('POST', `${id}/end-relationship`, { as: analyst, body: { reasonCode: 'customer_request' } });
  expect((await end()).status).toBe(200);
  const { relationshipEndedAt } = await read(id);
  expect(relationshipEndedAt).not.toBeNull();
  service.advance(1000);
  const refused = await end();
  expect([refused.status, refused.body.code]).toEqual([409, 'relationship_ended']);
  expect((await read(id)).relationshipEndedAt).toBe(relationshipEndedAt);
});

it('The evidence pack of a business waits until its newest change is signed', async () => {
  const id = await newBusiness(service, acme);
  const download = () => service.request<Refused>('GET', `/v1/businesses/${id}/evidence-pack`, { as: officer });
  // The log can be signed again only some seconds after the last signature.
  service.advance(11_000);
  expect((await download()).status).toBe(200);
  const changed = await call('PATCH', id, { as: key, body: { tradeName: 'Padaria Aurora' } });
  expect(changed.status).toBe(200);
  const early = await download();
  expect([early.status, early.body.code, Number(early.headers.get('retry-after')) > 0]).toEqual([
    409,
    'not_checkpointed_yet',
    true,
  ]);
  service.advance(11_000);
  expect((await download()).status).toBe(200);
});

it('A business is asked for information once at a time', async () => {
  const { businessId } = await newReviewedBusiness(service, acme, 'standard');
  const ask = () => call('POST', `${businessId}/information-requests`, { as: analyst, body: { items: [question] } });
  expect((await ask()).status).toBe(201);
  const { status, body } = await ask();
  expect([status, body.code]).toEqual([409, 'information_request_open']);
});
