/** Tests of what owners and powers mean for a business: its requirements, its documents and its waiting decisions. */
import { describe, expect, it } from 'vitest';
import { newReviewedBusiness } from '../operations/business-records.ts';
import { newActivePower, newConfirmable, newPower } from '../operations/powers.ts';
import { useService } from '../support/service.ts';
import { businessWorld, graph, newBusiness, newBusinessDocument, rejection, wholeGraph } from './business-world.ts';

const service = await useService();
const { acme } = service;
const { analyst, officer, key, call, read, own, requirement, waiting, review } = await businessWorld(service);

const enhanced = () => newBusiness(service, acme, undefined, 'enhanced');

describe('the requirements of a business', () => {
  it('follow from its owners once they are recorded, and from an attestation before', async () => {
    const id = await enhanced();
    expect(await requirement(id, 'ownership_complete')).toMatchObject({
      status: 'missing',
      reasonCode: 'not_established',
      satisfiedBy: [{ kind: 'ownership' }, { kind: 'attestation' }],
    });
    await own(id, graph);
    expect([await requirement(id, 'ownership_complete'), await requirement(id, 'bo_identified')]).toMatchObject([
      { status: 'failed', reasonCode: 'ownership_incomplete' },
      { status: 'failed', reasonCode: 'owners_not_identified' },
    ]);
    await own(id, wholeGraph);
    expect([await requirement(id, 'ownership_complete'), await requirement(id, 'bo_identified')]).toMatchObject([
      { status: 'verified', reasonCode: null },
      { status: 'verified', reasonCode: null },
    ]);
  });

  it('count a masked CPF as no identification, and a date of birth only of a person who lives abroad', async () => {
    const id = await enhanced();
    const [ana, bruno] = wholeGraph.parties;
    for (const [changed, status] of [
      [{ taxId: '***982247**' }, 'failed'],
      [{ taxId: null, dateOfBirth: '1980-02-01' }, 'failed'],
      [{ taxId: null, country: 'PT', dateOfBirth: '1980-02-01' }, 'verified'],
    ] as const) {
      await own(id, { ...wholeGraph, parties: [{ ...ana, ...changed }, bruno] });
      expect(await requirement(id, 'bo_identified'), JSON.stringify(changed)).toMatchObject({ status });
    }
  });

  it('count an adverse look-up although the owners are complete', async () => {
    const id = await enhanced();
    await own(id);
    const { status } = await call('POST', `${id}/attestations`, {
      as: analyst,
      body: {
        requirementKey: 'ownership_complete',
        outcome: 'fail',
        source: 'Register of companies',
        lookedUpAt: service.running.services.clock().toISOString(),
        note: 'The register names a third member.',
      },
    });
    expect(status).toBe(201);
    expect(await requirement(id, 'ownership_complete')).toMatchObject({ reasonCode: 'attested_adverse' });
  });

  it('follow from powers while one is confirmed and in force', async () => {
    const id = await enhanced();
    await own(id, graph);
    await newPower(service, acme, id);
    expect(await requirement(id, 'powers_confirmed')).toMatchObject({ status: 'missing' });
    const powerId = await newActivePower(service, acme, id);
    expect(await requirement(id, 'powers_confirmed')).toMatchObject({ status: 'verified' });
    await call('POST', `${id}/powers/${powerId}/revoke`, { body: { reasonCode: 'revoked_by_company' } });
    expect(await requirement(id, 'powers_confirmed')).toMatchObject({
      status: 'failed',
      reasonCode: 'no_power_in_force',
    });
  });

  it('are those of the settings, which know no others', async () => {
    const tenant = await service.tenant();
    const admin = await tenant.user('compliance_officer');
    const { headers } = await service.request('GET', '/v1/settings', { as: admin });
    const patch = (basic: readonly string[]) =>
      service.request<{ errors?: readonly { pointer: string }[] }>('PATCH', '/v1/settings', {
        as: admin,
        headers: { 'If-Match': headers.get('etag') ?? '' },
        body: { decisionPolicy: { requiredChecksOfBusinesses: { basic } } },
      });
    expect((await patch(['bo_screened', 'identity_data'])).body.errors).toMatchObject([
      { pointer: '/decisionPolicy/requiredChecksOfBusinesses/basic/1', code: 'unknown_check' },
    ]);
    expect((await patch(['bo_screened'])).status).toBe(200);
    const id = await newBusiness(service, tenant);
    const { body } = await service.request<{ requirements: { items: { key: string }[] } }>(
      'GET',
      `/v1/businesses/${id}`,
      { as: admin },
    );
    expect(body.requirements.items.map(({ key: name }) => name)).toEqual(['bo_screened']);
  });
});

describe('a decision that waits for a second person', () => {
  it.each([
    ['owners are replaced', async (id: string) => () => own(id, graph)],
    [
      'a power is confirmed',
      async (id: string) => {
        const { powerId, confirmation } = await newConfirmable(service, acme, id, { groups: [], rules: [] });
        return () => call('POST', `${id}/powers/${powerId}/confirm`, { as: officer, body: confirmation });
      },
    ],
  ])('ends when %s, and the reviewer is told what has changed', async (_, prepare) => {
    const { businessId: id } = await newReviewedBusiness(service, acme);
    const change = await prepare(id);
    const { evidenceDigest = '' } = await read(id);
    const { body: decision } = await call<{ id: string }>('POST', `${id}/decisions`, {
      as: analyst,
      body: rejection(evidenceDigest),
    });
    expect((await read(id)).status).toBe('pending_approval');
    expect((await change()).status).toBe(200);
    expect(await read(id)).toMatchObject({
      status: 'in_review',
      statusReason: 'evidence_changed',
      decisions: [{ status: 'invalidated' }],
    });
    const refused = await review(id, decision.id, evidenceDigest);
    expect([refused.status, refused.body.code]).toEqual([409, 'evidence_changed']);
    expect(refused.body.changed).toHaveLength(1);
  });

  it('ends when a confirmed power is revoked, and not when a draft is', async () => {
    const { id, decisionId, evidenceDigest } = await waiting();
    await own(id, graph);
    const [active, draft] = [await newActivePower(service, acme, id), (await newPower(service, acme, id)).id];
    const { evidenceDigest: current = '' } = await read(id);
    expect(current).not.toBe(evidenceDigest);
    const { body } = await call<{ id: string }>('POST', `${id}/decisions`, { as: analyst, body: rejection(current) });
    expect(body.id).not.toBe(decisionId);
    const revoke = (powerId: string) =>
      call('POST', `${id}/powers/${powerId}/revoke`, { body: { reasonCode: 'revoked_by_company' } });
    expect((await revoke(draft)).status).toBe(200);
    expect((await read(id)).status).toBe('pending_approval');
    expect((await revoke(active)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'in_review', statusReason: 'evidence_changed' });
  });
});

describe('a document of a draft', () => {
  it('is not deleted while a power names it', async () => {
    const id = await newBusiness(service, acme);
    await own(id, graph);
    const documentId = await newBusinessDocument(service, acme, id);
    const other = await newBusinessDocument(service, acme, id);
    await newPower(service, acme, id, { documentId });
    const refused = await call('DELETE', `${id}/documents/${documentId}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'document_is_evidence']);
    expect((await call('DELETE', `${id}/documents/${other}`)).status).toBe(204);
  });

  it('is not deleted once a version of the ownership names it, also an earlier one', async () => {
    const id = await newBusiness(service, acme);
    const documentId = await newBusinessDocument(service, acme, id);
    const [ana, ...others] = wholeGraph.edges;
    await own(id, {
      ...wholeGraph,
      edges: [{ ...ana!, source: 'document', evidenceDocumentId: documentId }, ...others],
    });
    await own(id, wholeGraph);
    const refused = await call('DELETE', `${id}/documents/${documentId}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'document_is_evidence']);
  });
});

it('A company whose revenue is above the amount of the policy is decided by two people', async () => {
  const tenant = await service.tenant();
  const admin = await tenant.user('compliance_officer', { secondFactor: true });
  const { headers } = await service.request('GET', '/v1/settings', { as: admin });
  const changed = await service.request('PATCH', '/v1/settings', {
    as: admin,
    headers: { 'If-Match': headers.get('etag') ?? '' },
    body: {
      decisionPolicy: { fourEyes: { levels: [], amountAbove: { amount: 1000, currency: 'BRL' } } },
    },
  });
  expect(changed.status).toBe(200);
  for (const [monthlyRevenue, status] of [
    [null, 200],
    [{ amount: 1000, currency: 'BRL' }, 200],
    [{ amount: 1001, currency: 'BRL' }, 202],
    [{ amount: 1, currency: 'USD' }, 202],
  ] as const) {
    const id = await newBusiness(service, tenant);
    const as = await tenant.key(['kyb']);
    await service.request('PATCH', `/v1/businesses/${id}`, { as, body: { monthlyRevenue } });
    const submitted = await service.request<{ evidenceDigest: string }>('POST', `/v1/businesses/${id}/submit`, { as });
    const decided = await service.request<{ fourEyesReasons: string[] }>('POST', `/v1/businesses/${id}/decisions`, {
      as: await tenant.user('analyst'),
      body: rejection(submitted.body.evidenceDigest),
    });
    expect([decided.status, decided.body.fourEyesReasons]).toEqual([status, status === 202 ? ['amount_above'] : []]);
  }
});

it('A withdrawn business takes no owners and no powers, and its powers can still be revoked', async () => {
  const id = await newBusiness(service, acme);
  await own(id, graph);
  const powerId = await newActivePower(service, acme, id);
  const { powerId: draftId, confirmation } = await newConfirmable(service, acme, id);
  expect((await call('POST', `${id}/withdraw`, { body: { reasonCode: 'duplicate' } })).status).toBe(200);
  const refusals = [
    await own(id, wholeGraph),
    await call('POST', `${id}/powers`, { as: key, body: { type: 'bylaws', validFrom: '2025-01-01' } }),
    await call('PATCH', `${id}/powers/${draftId}`, { body: { registryNumber: '7' } }),
    await call('POST', `${id}/powers/${draftId}/confirm`, { as: officer, body: confirmation }),
  ];
  expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(refusals.map(() => [409, 'business_closed']));
  const revoked = await call('POST', `${id}/powers/${powerId}/revoke`, { body: { reasonCode: 'revoked_by_company' } });
  expect(revoked.status).toBe(200);
});
