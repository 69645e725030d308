/**
 * Tests of processes about companies: what the service finds out for them, what they hear, and whose keys start them.
 */
import { describe, expect, it } from 'vitest';
import { newBusiness, newBusinessDocument } from '../operations/business-records.ts';
import { newOwnedBusiness } from '../operations/ownership.ts';
import { newActivePower } from '../operations/powers.ts';
import { newActiveProcess, workOf } from '../operations/workflow-records.ts';
import { outcome, refused, success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance } = workflowCalls(service, officer);

const runAll = async (): Promise<void> => {
  for (let round = 0; round < 4; round++) await service.running.runTasks();
};

/** Lets a process do one piece of work about a business, and returns its instance. */
async function done(type: string, businessId: string) {
  const { body } = await success(start(await newActiveProcess(service, acme, workOf(type)), { businessId }), 201);
  await runAll();
  return instance(body.id);
}

describe('A process about a company', () => {
  it('learns of beneficial owners as numbers', async () => {
    const found = await done('business.ownership', await newOwnedBusiness(service, acme));
    expect(found).toMatchObject({
      status: 'completed',
      variables: { ownership: { version: 1, ownerCount: expect.any(Number), unidentifiedCount: expect.any(Number) } },
    });
  });

  it('learns how many people may sign, alone or with others', async () => {
    const businessId = await newOwnedBusiness(service, acme);
    await newActivePower(service, acme, businessId);
    expect(await done('business.powers', businessId)).toMatchObject({
      status: 'completed',
      variables: { powers: { activeCount: 1, signatoryCount: expect.any(Number), aloneCount: expect.any(Number) } },
    });
  });

  it.each([
    ['owners that nobody has recorded', 'business.ownership', 'ownership_missing'],
    ['powers that nobody has confirmed', 'business.powers', 'powers_missing'],
    ['the registry, where none is connected', 'business.registry', 'provider_not_configured'],
    ['work about an applicant', 'screening.run', 'no_application'],
  ])('has an incident if it needs %s', async (_, type, code) => {
    const { activeElements } = await done(type, await newBusiness(service, acme));
    expect(activeElements).toMatchObject([
      { incident: { code: 'unhandled_error', message: expect.stringContaining(code) } },
    ]);
  });

  it('hears what happens to it, and another company does not', async () => {
    const elements = `<startEvent id="s"/>
      <receiveTask id="hears" messageRef="added"/><endEvent id="e"/>
      <sequenceFlow id="f1" sourceRef="s" targetRef="hears"/><sequenceFlow id="f2" sourceRef="hears" targetRef="e"/>`;
    const key = await newActiveProcess(service, acme, elements, '<message id="added" name="document.added"/>');
    const businessId = await newBusiness(service, acme);
    const [{ body: one }, { body: other }] = await Promise.all([
      success(start(key, { businessId }), 201),
      success(start(key, { businessId: await newBusiness(service, acme) }), 201),
    ]);
    await newBusinessDocument(service, acme, businessId);
    await runAll();
    expect([(await instance(one.id)).status, (await instance(other.id)).status]).toEqual(['completed', 'active']);
  });

  it('is listed by the company, and ends with its erasure', async () => {
    const businessId = await newBusiness(service, acme);
    const key = await newActiveProcess(service, acme);
    const { body } = await success(start(key, { businessId, variables: { channel: 'branch' } }), 201);
    const list = async () =>
      (
        await success(api.GET('/v1/workflows/instances', { params: { query: { businessId } }, headers: officer }))
      ).body.items.map(({ id, status }) => [id, status]);
    expect(await list()).toEqual([[body.id, 'active']]);
    const erased = await service.request('POST', `/v1/businesses/${businessId}/erase`, {
      as: await acme.user('compliance_officer', { secondFactor: true }),
      body: { reason: 'data_subject_request' },
    });
    expect(erased.status, erased.text).toBe(202);
    expect([await list(), (await instance(body.id)).variables]).toEqual([[[body.id, 'erased']], {}]);
  });
});

describe('The start of a process about a company', () => {
  it('is refused for an application and a company at once', async () => {
    const key = await newActiveProcess(service, acme);
    const id = await newBusiness(service, acme);
    const answer = await outcome(start(key, { businessId: id, applicationId: id }));
    expect(refused(answer)).toEqual([422, 'validation_failed']);
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/businessId', code: 'not_allowed' }] });
  });

  it('is refused for a company that does not exist', async () => {
    const key = await newActiveProcess(service, acme);
    const businessId = '0197f301-2b1e-7d3a-a4c2-7e9b0d1f6a21';
    expect(refused(await outcome(start(key, { businessId })))).toEqual([404, 'not_found']);
  });

  it.each([
    ['business.registry', 'kyb'],
    ['screening.run', 'screening'],
  ])('is refused to a key that may not order %s itself', async (type, scope) => {
    const key = await newActiveProcess(service, acme, workOf(type));
    const answer = await outcome(start(key, {}, await acme.key(['write'])));
    expect(refused(answer)).toEqual([403, 'insufficient_scope']);
    expect(answer.body).toMatchObject({ requiredScopes: [scope] });
    const allowed = await outcome(start(key, {}, await acme.key(['write', scope as 'kyb'])));
    expect(allowed.status).toBe(201);
  });
});

describe('The start of a process that leads to another one', () => {
  const told = `ordered_${crypto.randomUUID()}`;
  const message = `<message id="m" name="${told}"/>`;
  const definition = '<messageEventDefinition messageRef="m"/>';

  it.each([
    [
      'calls',
      async () => {
        const key = await newActiveProcess(service, acme, workOf('screening.run'));
        const elements = `${ENDS}<callActivity id="c" calledElement="${key}"/>${flow('f1', 's', 'c')}
          ${flow('f2', 'c', 'e')}`;
        return newActiveProcess(service, acme, elements);
      },
    ],
    [
      'begins by a message',
      async () => {
        const start = `<startEvent id="s">${definition}</startEvent>`;
        const begun = workOf('screening.run').replace('<startEvent id="s"/>', start);
        await newActiveProcess(service, acme, begun, message);
        const elements = `<startEvent id="s"/><endEvent id="e">${definition}</endEvent>${flow('f1', 's', 'e')}`;
        return newActiveProcess(service, acme, elements, message);
      },
    ],
  ])('is refused to a key that may not order the work of a process which it %s', async (_, keyOf) => {
    const answer = await outcome(start(await keyOf(), {}, await acme.key(['write'])));
    expect(refused(answer)).toEqual([403, 'insufficient_scope']);
    expect(answer.body).toMatchObject({ requiredScopes: ['screening'] });
  });
});

it('A registry that a process asks in the sandbox answers as it does to a person, in the name of the process', async () => {
  const tenant = await service.tenant();
  await service.request('POST', '/v1/sandbox/enable', { as: await tenant.key(['admin']) });
  const draws = await tenant.user('compliance_officer', { purpose: 'draws' });
  const calls = workflowCalls(service, draws);
  const key = await newActiveProcess(service, tenant, workOf('business.registry'));
  const businessId = await newBusiness(service, tenant, await tenant.key(['kyb'], { environment: 'test' }));
  const { body } = await success(calls.start(key, { businessId }), 201);
  await runAll();
  expect((await calls.instance(body.id)).variables).toMatchObject({
    registry: { situation: 'active', openDifferences: expect.any(Number) },
  });
  const { body: log } = await success(
    api.GET('/v1/audit/events', {
      params: { query: { action: ['registry.fetched'] } },
      headers: await tenant.user('auditor'),
    }),
  );
  expect(log.items.map(({ actor }) => actor.id)).toEqual([`workflow:${key}@1`]);
});
