/** API tests of simulations about businesses: what the registry says of one, and powers that end. */
import { describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { newReviewedBusiness } from '../operations/business-records.ts';
import { newConfirmable, newActivePower } from '../operations/powers.ts';
import { newBusiness, newBusinessDocument, rejection, type Schemas, wholeGraph } from './business-world.ts';
import { refusalOf, startMonitoredBusinesses } from './monitored-businesses-world.ts';

const world = await startMonitoredBusinesses();
const { service, sandboxed, call, approve, own, alertsOf, changeRegistry, simulate } = world;

const registryOf = async (id: string) =>
  (await call<Schemas['BusinessRegistry']>('GET', `businesses/${id}/registry`)).body;
const change = (id: string, as = world.admin) =>
  simulate({ type: 'registry_change', target: { type: 'business', id } }, as);
const end = (id: string, as = world.admin) => simulate({ type: 'power_expiry', target: { type: 'power', id } }, as);
const owned = async (): Promise<string> => {
  const id = await newBusiness(service, sandboxed);
  await own(id, wholeGraph);
  return id;
};
/** Turns the sandbox of the other tenant on, and returns a live business of it. */
const liveBusiness = async (): Promise<string> => {
  await service.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
    service.other.id,
  ]);
  return newBusiness(service, service.other, await service.other.key(['kyb'], { pinEnvironment: true }));
};

describe('a simulated change of the registry', () => {
  it('closes a company, which its monitoring finds, until the registry says otherwise', async () => {
    const id = await approve();
    const { status, body } = await change(id);
    const [alert] = await alertsOf(id);
    const { answer } = await registryOf(id);
    expect([status, body.type, body.effects]).toEqual([
      202,
      'registry_change',
      [
        {
          resource: { type: 'business', id },
          change: 'closed; the registry said active, and says closed',
        },
        { resource: { type: 'registry_answer', id: answer!.id }, change: 'answered' },
        { resource: { type: 'monitoring_alert', id: alert!.id }, change: 'raised, high' },
      ],
    ]);
    expect(answer).toMatchObject({ situation: 'closed', fetchedBy: { type: 'system', id: 'sandbox' } });
    const asked = await call<Schemas['BusinessRegistry']>('POST', `businesses/${id}/registry`, undefined, world.kyb);
    expect(asked.body.answer!.situation).toBe('closed');
    expect((await changeRegistry(id, 'active')).status).toBe(202);
    expect((await registryOf(id)).answer!.situation).toBe('active');
  });

  it('names one more partner each time, also of a company that is no customer', async () => {
    const id = await newBusiness(service, sandboxed);
    for (let times = 0; times < 2; times++) expect((await changeRegistry(id, 'new_partner')).status).toBe(202);
    const { answer } = await registryOf(id);
    expect(answer!.partners.map(({ name }) => name)).toEqual(['Sócio Simulado 1', 'Sócio Simulado 2']);
    expect(await alertsOf(id)).toEqual([]);
  });

  it('that changes nothing brings no new answer', async () => {
    const id = await newBusiness(service, sandboxed);
    await changeRegistry(id, 'unfit');
    const again = await changeRegistry(id, 'unfit');
    expect(again.body.effects.map(({ change: said }) => said)).toEqual([
      'unfit; the registry said unfit, and says unfit',
    ]);
  });

  it('is refused for live, unknown and closed businesses, without a target, and beyond twenty', async () => {
    expect(refusalOf(await change(uuidv7()))).toEqual([404, 'not_found']);
    const live = await liveBusiness();
    expect(refusalOf(await change(live))).toEqual([404, 'not_found']);
    expect(refusalOf(await change(live, await service.other.key(['admin'])))).toEqual([422, 'target_is_live']);
    const id = await newBusiness(service, sandboxed);
    await call('POST', `businesses/${id}/withdraw`, { reasonCode: 'created_in_error' }, world.kyb);
    expect(refusalOf(await change(id))).toEqual([422, 'validation_failed', '/target/id business_closed']);
    expect(refusalOf(await simulate({ type: 'registry_change' }))).toEqual([
      422,
      'validation_failed',
      '/target required',
    ]);
    expect(
      refusalOf(await simulate({ type: 'power_expiry', target: { type: 'business', id }, parameters: { seconds: 1 } })),
    ).toEqual([422, 'validation_failed', '/target/type not_allowed', '/parameters/seconds not_allowed']);
    const busy = await newBusiness(service, sandboxed);
    for (let times = 0; times < 20; times++) await changeRegistry(busy, 'new_partner');
    expect(refusalOf(await change(busy))).toEqual([422, 'validation_failed', '/target/id too_many_changes']);
  });
});

describe('a simulated end of a power', () => {
  it('lets it end yesterday, warns of it and opens the review of the business', async () => {
    const id = await approve();
    await own(id, wholeGraph);
    const powerId = await newActivePower(service, sandboxed, id);
    const { status, body } = await end(powerId);
    const power = (await call<Schemas['Power']>('GET', `businesses/${id}/powers/${powerId}`)).body;
    const [alert] = await alertsOf(id, '&kind=power_expiry');
    expect([power.status, alert]).toMatchObject([
      'expired',
      {
        severity: 'high',
        powerId,
        dueOn: power.validUntil,
        status: 'open',
      },
    ]);
    expect([status, body.effects]).toEqual([
      202,
      [
        { resource: { type: 'power', id: powerId }, change: `valid until ${power.validUntil}` },
        { resource: { type: 'monitoring_alert', id: alert!.id }, change: 'raised, high' },
      ],
    ]);
    const { items } = (await call<{ items: Schemas['ReviewCase'][] }>('GET', `cases?businessId=${id}`)).body;
    expect(items).toMatchObject([{ type: 'business_review', openedReason: 'power_expired' }]);
    expect(items[0]!.links.map(({ kind }) => kind).sort()).toEqual(['alert', 'power']);
    const evaluation = await call<Schemas['SigningEvaluation']>(
      'POST',
      `businesses/${id}/signing-evaluations`,
      { act: { type: 'borrow' } },
      world.kyb,
    );
    expect(evaluation.body.result).not.toBe('authorized');
  });

  it('is refused for drafts, for powers that have ended, and for live and unknown ones', async () => {
    const id = await owned();
    const { powerId: draft } = await newConfirmable(service, sandboxed, id);
    const notInForce = [422, 'validation_failed', '/target/id not_in_force'];
    expect(refusalOf(await end(draft))).toEqual(notInForce);
    const power = await newActivePower(service, sandboxed, id);
    expect((await end(power)).status).toBe(202);
    expect(refusalOf(await end(power))).toEqual(notInForce);
    expect(refusalOf(await end(uuidv7()))).toEqual([404, 'not_found']);
    const { businessId } = await liveOwned();
    const live = await newActivePower(service, service.acme, businessId);
    expect(refusalOf(await end(live))).toEqual([404, 'not_found']);
    await service.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
      service.acme.id,
    ]);
    expect(refusalOf(await end(live, await service.acme.key(['admin'])))).toEqual([422, 'target_is_live']);
  });
});

describe('a simulated expiry of documents of a business', () => {
  const expire = (type: string, id: string, as = world.admin) =>
    simulate({ type: 'document_expiry', target: { type, id } }, as);
  const businessOf = async (id: string) => (await call<Schemas['Business']>('GET', `businesses/${id}`)).body;

  it.each(['business', 'document'])('names the %s, and the requirement that its articles met fails', async (type) => {
    const id = await newBusiness(service, sandboxed, undefined, 'enhanced');
    const documentId = await newBusinessDocument(service, sandboxed, id);
    const other = await newBusiness(service, sandboxed);
    await newBusinessDocument(service, sandboxed, other);
    const { status, body } = await expire(type, type === 'document' ? documentId : id);
    const { documents, requirements } = await businessOf(id);
    const expiresOn = documents![0]!.expiresOn;
    expect([status, body.effects]).toEqual([
      202,
      [
        { resource: { type: 'document', id: documentId }, change: `expiresOn null to ${expiresOn}` },
        {
          resource: { type: 'business', id },
          change: 'requirement constitutive_document: failed, document_expired',
        },
      ],
    ]);
    expect(requirements!.items.find(({ key }) => key === 'constitutive_document')).toMatchObject({
      status: 'failed',
      reasonCode: 'document_expired',
    });
    expect((await businessOf(other)).documents![0]!.expiresOn).toBeNull();
    expect((await expire(type, type === 'document' ? documentId : id)).body.effects).toEqual([]);
  });

  it('is found by the monitoring of the business', async () => {
    const id = await approve();
    const documentId = await newBusinessDocument(service, sandboxed, id);
    expect((await expire('business', id)).status).toBe(202);
    await service.running.runJob('monitoring.due');
    const [alert] = await alertsOf(id, '&kind=document_expiry');
    expect(alert).toMatchObject({ severity: 'high', documentId, status: 'open' });
  });

  it('ends a decision that waits for a second person', async () => {
    const { businessId: id, evidenceDigest } = await newReviewedBusiness(service, sandboxed, 'standard');
    const { body: decision } = await call<Schemas['Decision']>(
      'POST',
      `businesses/${id}/decisions`,
      rejection(evidenceDigest),
      world.analyst,
    );
    const { body } = await expire('business', id);
    expect(body.effects).toContainEqual({
      resource: { type: 'decision', id: decision.id },
      change: 'status pending_review to invalidated',
    });
    expect(await businessOf(id)).toMatchObject({ status: 'in_review', decisions: [{ status: 'invalidated' }] });
  });

  it('is refused for live and unknown businesses', async () => {
    const live = await liveBusiness();
    expect(refusalOf(await expire('business', live, await service.other.key(['admin'])))).toEqual([
      422,
      'target_is_live',
    ]);
    expect(refusalOf(await expire('business', live))).toEqual([404, 'not_found']);
    expect(refusalOf(await expire('business', uuidv7()))).toEqual([404, 'not_found']);
  });
});

/** Records a live business with owners of the tenant whose sandbox is off. */
async function liveOwned(): Promise<{ readonly businessId: string }> {
  const businessId = await newBusiness(service, service.acme);
  const as = await service.acme.key(['kyb']);
  const { status } = await service.request('PUT', `/v1/businesses/${businessId}/ownership`, {
    as,
    body: wholeGraph,
    headers: { 'If-Match': '"0"' },
  });
  if (status !== 200) throw new Error(`the owners are refused with ${status}`);
  return { businessId };
}
