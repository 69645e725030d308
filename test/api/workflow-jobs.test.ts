/** Tests of the work that processes need: by workers of the tenant, who take it and report its result. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { unique } from '../operations/call.ts';
import {
  newActiveProcess,
  newInstance,
  newSuspendedInstance,
  newWork,
  workOf,
} from '../operations/workflow-records.ts';
import { outcome, refused, success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance } = workflowCalls(service, officer);

const take = (types: string[], more: object = {}) =>
  api.POST('/v1/workflows/jobs/activate', { headers: officer, body: { types, worker: 'one', ...more } });
const taken = async (types: string[], more: object = {}) => (await success(take(types, more))).body.items;
const report = (workflowJobId: string, body: object) =>
  api.POST('/v1/workflows/jobs/{workflowJobId}/result', {
    params: { path: { workflowJobId } },
    headers: officer,
    body: { worker: 'one', outcome: 'completed', ...body } as never,
  });
const incidentsOf = async (instanceId: string) =>
  (await success(api.GET('/v1/workflows/incidents', { params: { query: { instanceId } }, headers: officer }))).body
    .items;

describe('Work', () => {
  it('is given to one worker with what it needs, and its result lets the instance go on', async () => {
    const type = `external.${unique()}`;
    const { body } = await success(
      start(await newActiveProcess(service, acme, workOf(type)), { variables: { amountInCents: 5 } }),
      201,
    );
    const [job, none] = await taken([type]);
    expect(none).toBeUndefined();
    expect(job).toMatchObject({
      type,
      instanceId: body.id,
      idempotencyKey: `${body.id}:2`,
      attempts: 1,
      variables: { amountInCents: 5 },
    });
    expect(await taken([type])).toEqual([]);
    const { body: done } = await success(report(job!.id, { variables: { score: 720 } }));
    expect(done).toMatchObject({ status: 'completed', lockedUntil: null });
    expect(await instance(body.id)).toMatchObject({ status: 'completed', variables: { score: 720 } });
  });

  it('of another tenant is not found', async () => {
    const type = await newWork(service, service.other);
    expect(await taken([type])).toEqual([]);
  });

  it('whose lock has ended is given to another worker, and the first one can no longer report it', async () => {
    const type = await newWork(service, acme);
    const [first] = await taken([type], { lockSeconds: 5 });
    service.advance(6000);
    const [second] = await taken([type], { worker: 'two' });
    expect([second!.id, second!.idempotencyKey, second!.attempts]).toEqual([first!.id, first!.idempotencyKey, 2]);
    expect(refused(await outcome(report(first!.id, {})))).toEqual([409, 'workflow_job_lock_lost']);
    await success(report(first!.id, { worker: 'two' }));
    expect(refused(await outcome(report(first!.id, { worker: 'two' })))).toEqual([409, 'invalid_state_transition']);
  });

  it('that fails is tried again after a pause, and its last failure is an incident', async () => {
    const type = await newWork(service, acme);
    const [job] = await taken([type]);
    const failure = { outcome: 'failed', message: 'No answer.' };
    expect((await success(report(job!.id, { ...failure, retryAfterSeconds: 60 }))).body).toMatchObject({
      status: 'waiting',
      retriesLeft: 4,
    });
    expect(await taken([type])).toEqual([]);
    service.advance(61_000);
    expect(await taken([type])).toHaveLength(1);
    expect((await success(report(job!.id, { ...failure, retriesLeft: 0 }))).body.status).toBe('failed');
    const [incident] = await incidentsOf(job!.instanceId);
    expect(incident).toMatchObject({ code: 'retries_exhausted', message: 'No answer.', status: 'open' });
    await success(
      api.POST('/v1/workflows/incidents/{workflowIncidentId}/resolve', {
        params: { path: { workflowIncidentId: incident!.id } },
        headers: officer,
        body: { note: 'The scorer answers again.' },
      }),
    );
    const [again] = await taken([type]);
    expect(again).toMatchObject({ id: job!.id, retriesLeft: 5 });
  });

  it('throws an error that its process catches', async () => {
    const type = `external.${unique()}`;
    const elements = `${workOf(type)}<boundaryEvent id="b" attachedToRef="score"><errorEventDefinition errorRef="low"/>
      </boundaryEvent><userTask id="look"/>${flow('f3', 'b', 'look')}${flow('f4', 'look', 'e')}`;
    const key = await newActiveProcess(service, acme, elements, '<error id="low" errorCode="LOW_SCORE"/>');
    const { body } = await success(start(key), 201);
    const [job] = await taken([type]);
    await success(report(job!.id, { outcome: 'error', errorCode: 'LOW_SCORE', variables: { score: 3 } }));
    expect(await instance(body.id)).toMatchObject({ variables: { score: 3 }, activeElements: [{ elementId: 'look' }] });
  });

  it('whose error nobody catches is an incident', async () => {
    const type = await newWork(service, acme);
    const [job] = await taken([type]);
    await success(report(job!.id, { outcome: 'error', errorCode: 'UNKNOWN' }));
    expect(await incidentsOf(job!.instanceId)).toMatchObject([{ code: 'unhandled_error', status: 'open' }]);
  });

  it('of a suspended instance is given to nobody', async () => {
    const type = `external.${unique()}`;
    await newSuspendedInstance(service, acme, workOf(type));
    expect(await taken([type])).toEqual([]);
  });

  it('that is cancelled with its instance can no longer be reported', async () => {
    const type = `external.${unique()}`;
    const workflowInstanceId = await newInstance(service, acme, workOf(type));
    const [job] = await taken([type]);
    await success(
      api.POST('/v1/workflows/instances/{workflowInstanceId}/cancel', {
        params: { path: { workflowInstanceId } },
        headers: officer,
        body: { note: 'Started by mistake.' },
      }),
    );
    expect(refused(await outcome(report(job!.id, {})))).toEqual([409, 'invalid_state_transition']);
  });

  it.each([
    ['an error without a code', { outcome: 'error' }, '/errorCode'],
    ['a code without an error', { errorCode: 'LOW' }, '/errorCode'],
    ['a message without a failure', { message: 'No answer.' }, '/message'],
    ['variables of a failure', { outcome: 'failed', variables: { score: 1 } }, '/variables'],
  ])('is not reported with %s', async (_, body, pointer) => {
    const [job] = await taken([await newWork(service, acme)]);
    const answer = await outcome(report(job!.id, body));
    expect([answer.status, answer.body]).toMatchObject([422, { code: 'validation_failed', errors: [{ pointer }] }]);
  });
});

describe('A worker that waits', () => {
  it('is given work as soon as there is some', async () => {
    const type = `external.${unique()}`;
    const key = await newActiveProcess(service, acme, workOf(type));
    const waiting = taken([type], { waitSeconds: 20 });
    await sleep(300);
    await success(start(key), 201);
    expect(await waiting).toHaveLength(1);
  });

  it('is answered without work when its time is over', async () => {
    expect(await taken([`external.${unique()}`], { waitSeconds: 1 })).toEqual([]);
  });
});

it('The history of an instance says what happened at its elements, in its order', async () => {
  const type = `external.${unique()}`;
  const workflowInstanceId = await newInstance(service, acme, workOf(type));
  const [job] = await taken([type]);
  await success(report(job!.id, {}));
  const { body } = await success(
    api.GET('/v1/workflows/instances/{workflowInstanceId}/history', {
      params: { path: { workflowInstanceId }, query: { limit: 100 } },
      headers: officer,
    }),
  );
  expect(body.items.map(({ number }) => number)).toEqual(body.items.map((_, index) => index + 1));
  expect(body.items.filter(({ elementId }) => elementId === 'score').map(({ event }) => event)).toEqual([
    'entered',
    'completed',
  ]);
});
