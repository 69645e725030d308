/** Tests of what people do to running processes: suspending them, sending messages, and resolving incidents. */
import { describe, expect, it } from 'vitest';
import { unique } from '../operations/call.ts';
import { newActiveProcess, newIncident, newInstance, newWaitingInstance } from '../operations/workflow-records.ts';
import { outcome, refused, success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance, complete, openTask } = workflowCalls(service, officer);

describe('A suspended instance', () => {
  const change = (workflowInstanceId: string, what: 'suspend' | 'resume') =>
    service.request('POST', `/v1/workflows/instances/${workflowInstanceId}/${what}`, {
      as: officer,
      ...(what === 'suspend' && { body: { note: 'We wait for the bank.' } }),
    });

  it('continues nothing until it is resumed, and its tasks wait for nobody meanwhile', async () => {
    const id = await newInstance(service, acme);
    const task = await openTask(id, 'review');
    const waits = async (): Promise<boolean> => {
      const { body } = await success(
        api.GET('/v1/work', { params: { query: { kind: ['workflow_task'], limit: 100 } }, headers: officer }),
      );
      return body.items.some((item) => item.id === task);
    };
    expect(await waits()).toBe(true);
    expect((await change(id, 'suspend')).status).toBe(200);
    expect(await waits()).toBe(false);
    expect(refused(await outcome(complete(task)))).toEqual([409, 'invalid_state_transition']);
    expect((await change(id, 'suspend')).status).toBe(409);
    expect((await change(id, 'resume')).status).toBe(200);
    await success(complete(task));
    expect((await instance(id)).status).toBe('completed');
  });

  it('keeps its business key', async () => {
    const [key, businessKey] = [await newActiveProcess(service, acme), unique()];
    const { body } = await success(start(key, { businessKey }), 201);
    expect((await change(body.id, 'suspend')).status).toBe(200);
    expect(refused(await outcome(start(key, { businessKey })))).toEqual([409, 'business_key_taken']);
  });

  it('computes what waited for it once it is resumed', async () => {
    const elements = `${ENDS}<userTask id="a"/><exclusiveGateway id="g" default="f3"/><userTask id="b"/>
      ${flow('f1', 's', 'a')}${flow('f2', 'a', 'g')}${flow('f3', 'g', 'e')}${flow('f4', 'g', 'b', '1 &lt; 2')}
      ${flow('f5', 'b', 'e')}`;
    const { body } = await success(start(await newActiveProcess(service, acme, elements)), 201);
    await success(complete(await openTask(body.id, 'a')));
    expect((await change(body.id, 'suspend')).status).toBe(200);
    await service.running.runTasks();
    expect(await instance(body.id)).toMatchObject({ status: 'suspended', isBusy: true });
    expect((await change(body.id, 'resume')).status).toBe(200);
    await service.running.runTasks();
    expect((await instance(body.id)).activeElements).toMatchObject([{ elementId: 'b' }]);
  });
});

describe('A message', () => {
  const message = (body: object) =>
    service.request<{ id: string }>('POST', '/v1/workflows/messages', { as: officer, body });

  it('continues the one instance that waits for it, once', async () => {
    const { name, correlationKey } = await newWaitingInstance(service, acme);
    const sent = await message({ name, correlationKey, variables: { pages: 12 } });
    expect(sent.status, sent.text).toBe(200);
    expect(await instance(sent.body.id)).toMatchObject({
      variables: { pages: 12 },
      activeElements: [{ elementId: 'a' }],
    });
    expect(await message({ name, correlationKey })).toMatchObject({
      status: 409,
      body: { code: 'workflow_message_unmatched' },
    });
  });

  it.each([
    ['another name', { name: 'unheard_of' }],
    ['another correlation key', { correlationKey: 'web' }],
    ['another business key', { businessKey: 'nobody' }],
  ])('with %s is for nobody', async (_, other) => {
    const { name, correlationKey } = await newWaitingInstance(service, acme);
    expect(await message({ name, correlationKey, ...other })).toMatchObject({
      status: 409,
      body: { code: 'workflow_message_unmatched' },
    });
  });

  it('without a correlation key is for nobody who waits for one', async () => {
    const { name } = await newWaitingInstance(service, acme);
    expect(await message({ name })).toMatchObject({ status: 409, body: { code: 'workflow_message_unmatched' } });
  });

  it('of another tenant reaches nobody', async () => {
    const body = await newWaitingInstance(service, service.other);
    expect((await message(body)).status).toBe(409);
  });
});

it('An instance is given a thousand variables at most, so that it can always be shown', async () => {
  const id = await newInstance(service, acme);
  const { version } = await instance(id);
  const given = (round: number, names: number, ifMatch: number) =>
    api.PATCH('/v1/workflows/instances/{workflowInstanceId}/variables', {
      params: { path: { workflowInstanceId: id }, header: { 'If-Match': `"${ifMatch}"` } },
      headers: { ...officer, 'Content-Type': 'application/merge-patch+json' },
      body: { variables: Object.fromEntries(Array.from({ length: names }, (_, one) => [`v${round}_${one}`, one])) },
    });
  // The instance was started with one variable.
  for (let round = 0; round < 19; round++) await success(given(round, 50, version + round));
  await success(given(19, 49, version + 19));
  const answer = await outcome(given(20, 1, version + 20));
  expect([answer.status, answer.body]).toMatchObject([
    422,
    { code: 'validation_failed', errors: [{ pointer: '/variables', code: 'too_many' }] },
  ]);
  expect(Object.keys((await instance(id)).variables)).toHaveLength(1000);
});

describe('An incident', () => {
  const resolve = (workflowIncidentId: string) =>
    api.POST('/v1/workflows/incidents/{workflowIncidentId}/resolve', {
      params: { path: { workflowIncidentId } },
      headers: officer,
      body: { note: 'The channel has been set.' },
    });
  const incidents = async (instanceId: string) =>
    (await success(api.GET('/v1/workflows/incidents', { params: { query: { instanceId } }, headers: officer }))).body
      .items;
  const instanceOf = async (id: string): Promise<string> => {
    const { body } = await success(
      api.GET('/v1/workflows/incidents', { params: { query: { limit: 100 } }, headers: officer }),
    );
    return body.items.find((item) => item.id === id)!.instanceId;
  };

  it('is resolved after its cause is removed, and the instance goes on', async () => {
    const id = await newIncident(service, acme);
    const instanceId = await instanceOf(id);
    const { body } = await success(
      api.PATCH('/v1/workflows/instances/{workflowInstanceId}/variables', {
        params: { path: { workflowInstanceId: instanceId } },
        headers: { ...officer, 'Content-Type': 'application/merge-patch+json' },
        body: { variables: { approved: true } },
      }),
    );
    expect(body.variables).toMatchObject({ approved: true });
    await success(resolve(id));
    await service.running.runTasks();
    expect(await instance(instanceId)).toMatchObject({ incidentCount: 0, activeElements: [{ elementId: 'a' }] });
    expect((await incidents(instanceId)).map(({ status }) => status)).toEqual(['resolved']);
    expect(refused(await outcome(resolve(id)))).toEqual([409, 'invalid_state_transition']);
  });

  it('that comes back is another one', async () => {
    const id = await newIncident(service, acme);
    const instanceId = await instanceOf(id);
    await success(resolve(id));
    await service.running.runTasks();
    expect((await incidents(instanceId)).map(({ status }) => status).sort()).toEqual(['open', 'resolved']);
  });

  it('is cancelled with its instance', async () => {
    const id = await newIncident(service, acme);
    const workflowInstanceId = await instanceOf(id);
    await success(
      api.POST('/v1/workflows/instances/{workflowInstanceId}/cancel', {
        params: { path: { workflowInstanceId } },
        headers: officer,
        body: { note: 'Started by mistake.' },
      }),
    );
    expect((await incidents(workflowInstanceId)).map(({ status }) => status)).toEqual(['cancelled']);
    expect(refused(await outcome(resolve(id)))).toEqual([409, 'invalid_state_transition']);
  });
});
