/** Tests of instances to which two things happen at once, or something while they cannot take it. */
import { describe, expect, it } from 'vitest';
import { newApplication, newDocument } from '../operations/application-records.ts';
import { newActiveProcess, newOutdatedInstance, newTimedInstance } from '../operations/workflow-records.ts';
import { multipart, outcome, refused, success } from '../support/api.ts';
import { whileInstanceWaits } from '../support/locks.ts';
import { useService } from '../support/service.ts';
import { jpeg } from '../support/specimens/jpeg.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance, complete, openTask } = workflowCalls(service, officer);

/** Runs the tasks of the service until none is left that another one has queued. */
const runAll = async (): Promise<void> => {
  for (let round = 0; round < 4; round++) await service.running.runTasks();
};

const change = (workflowInstanceId: string, what: 'suspend' | 'resume') =>
  service.request('POST', `/v1/workflows/instances/${workflowInstanceId}/${what}`, {
    as: officer,
    ...(what === 'suspend' && { body: { note: 'We wait for the bank.' } }),
  });

it('A timer that repeats fires once, although its job and a move of the clock find it at the same time', async () => {
  const tenant = await service.tenant();
  await success(api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) }));
  const as = await tenant.user('compliance_officer', { purpose: 'draws' });
  const elements = `${ENDS}<userTask id="a"/><userTask id="remind"/>
    <boundaryEvent id="t" attachedToRef="a" cancelActivity="false"><timerEventDefinition>
      <timeCycle>R/P30D</timeCycle></timerEventDefinition></boundaryEvent>
    ${flow('f1', 's', 'a')}${flow('f2', 'a', 'e')}${flow('f3', 't', 'remind')}${flow('f4', 'remind', 'e')}`;
  const { body } = await success(start(await newActiveProcess(service, tenant, elements), {}, as), 201);
  const simulate = service.request.bind(service, 'POST', '/v1/sandbox/simulations', {
    as: await tenant.key(['admin'], { environment: 'test' }),
    body: { type: 'advance_clock', parameters: { seconds: 60 } },
  });
  await service.database.sql(`UPDATE workflow_timer SET due_at = now() - interval '1 s' WHERE instance_id = $1`, [
    body.id,
  ]);
  const both = await whileInstanceWaits(service.database, body.id, async (isWaitedFor) => {
    const job = service.running.runJob('workflows.timers');
    await isWaitedFor();
    const clock = simulate();
    await isWaitedFor(2);
    return [job, clock] as const;
  });
  await Promise.all(both);
  const { body: tasks } = await success(
    api.GET('/v1/workflows/tasks', { params: { query: { instanceId: body.id } }, headers: as }),
  );
  expect(tasks.items.map(({ elementId }) => elementId).sort()).toEqual(['a', 'remind']);
  expect(await service.database.sql('SELECT 1 FROM workflow_timer WHERE instance_id = $1', [body.id])).toHaveLength(1);
});

it('Four eyes stay four when the first task has another id in the version by which an instance continues', async () => {
  const elements = (first: string): string => `${ENDS}<userTask id="${first}"/>
    <userTask id="second" kyc:notSameUserAs="${first}"/>${flow('f1', 's', first)}${flow('f2', first, 'second')}
    ${flow('f3', 'second', 'e')}`;
  const { workflowInstanceId, definitionId } = await newOutdatedInstance(
    service,
    acme,
    elements('first'),
    elements('review'),
  );
  await success(complete(await openTask(workflowInstanceId, 'review')));
  await success(
    api.POST('/v1/workflows/instances/{workflowInstanceId}/migrate', {
      params: { path: { workflowInstanceId } },
      headers: officer,
      body: { definitionId, note: 'The names are better.', mappings: [{ from: 'review', to: 'first' }] },
    }),
  );
  const second = complete(await openTask(workflowInstanceId, 'second'));
  expect(refused(await outcome(second))).toEqual([403, 'self_approval_forbidden']);
});

it('Four eyes stay four when the task that names the other one is completed first', async () => {
  const elements = `${ENDS}<parallelGateway id="g"/><parallelGateway id="j"/><userTask id="a"/>
    <userTask id="b" kyc:notSameUserAs="a"/>${flow('f1', 's', 'g')}${flow('f2', 'g', 'a')}${flow('f3', 'g', 'b')}
    ${flow('f4', 'a', 'j')}${flow('f5', 'b', 'j')}${flow('f6', 'j', 'e')}`;
  const { body } = await success(start(await newActiveProcess(service, acme, elements)), 201);
  await success(complete(await openTask(body.id, 'b')));
  const other = await openTask(body.id, 'a');
  expect(refused(await outcome(complete(other)))).toEqual([403, 'self_approval_forbidden']);
  await success(complete(other, await acme.user('analyst')));
  expect((await instance(body.id)).status).toBe('completed');
});

it('The timers of a suspended tenant rest, and fire once it is active again', async () => {
  const tenant = await service.tenant();
  const id = await newTimedInstance(service, tenant);
  const { sql } = service.database;
  await sql(`UPDATE workflow_timer SET due_at = now() - interval '1 s' WHERE instance_id = $1`, [id]);
  const left = async (status: string): Promise<number> => {
    await sql('UPDATE tenant SET status = $1 WHERE id = $2', [status, tenant.id]);
    await service.running.runJob('workflows.timers');
    return (await sql('SELECT 1 FROM workflow_timer WHERE instance_id = $1', [id])).length;
  };
  expect([await left('suspended'), await left('active')]).toEqual([1, 0]);
});

it('A step that failed for the last time is tried again, so that its instance goes on after a long outage', async () => {
  const elements = `${ENDS}<userTask id="a"/><exclusiveGateway id="g" default="f3"/><userTask id="b"/>
    ${flow('f1', 's', 'a')}${flow('f2', 'a', 'g')}${flow('f3', 'g', 'e')}${flow('f4', 'g', 'b', '1 &lt; 2')}
    ${flow('f5', 'b', 'e')}`;
  const { body } = await success(start(await newActiveProcess(service, acme, elements)), 201);
  await success(complete(await openTask(body.id, 'a')));
  const { sql } = service.database;
  const write = (format: number) =>
    sql(`UPDATE workflow_instance SET state = jsonb_set(state, '{format}', to_jsonb($2::integer)) WHERE id = $1`, [
      body.id,
      format,
    ]);
  // As a later release would have written it, which this one cannot read.
  await write(99);
  await sql('UPDATE task SET attempts = 7 WHERE subject_id = $1', [body.id]);
  await service.running.runTasks();
  await write(1);
  await sql(`UPDATE task SET due_at = now() - interval '1 h' WHERE subject_id = $1`, [body.id]);
  await service.running.runJob('tasks.wake');
  await runAll();
  expect((await instance(body.id)).activeElements).toMatchObject([{ elementId: 'b' }]);
});

describe('What happens to an application is heard', () => {
  const HEARD = '<message id="m" name="document.added"/>';
  const RECEIVING = '<receiveTask id="r" messageRef="m"/>';

  it('by an instance that is suspended, once it is resumed', async () => {
    const applicationId = await newApplication(service, acme);
    const elements = `${ENDS}${RECEIVING}${flow('f1', 's', 'r')}${flow('f2', 'r', 'e')}`;
    const key = await newActiveProcess(service, acme, elements, HEARD);
    const { body } = await success(start(key, { applicationId }), 201);
    expect((await change(body.id, 'suspend')).status).toBe(200);
    await newDocument(service, acme, applicationId);
    await runAll();
    expect((await instance(body.id)).activeElements).toMatchObject([{ elementId: 'r' }]);
    expect((await change(body.id, 'resume')).status).toBe(200);
    await runAll();
    expect((await instance(body.id)).status).toBe('completed');
  });

  it('as often as it happens', async () => {
    const applicationId = await newApplication(service, acme);
    const elements = `${ENDS}${RECEIVING}<receiveTask id="r2" messageRef="m"/>${flow('f1', 's', 'r')}
      ${flow('f2', 'r', 'r2')}${flow('f3', 'r2', 'e')}`;
    const key = await newActiveProcess(service, acme, elements, HEARD);
    const { body } = await success(start(key, { applicationId }), 201);
    await newDocument(service, acme, applicationId);
    await success(
      api.POST('/v1/applications/{applicationId}/documents', {
        params: { path: { applicationId } },
        headers: await acme.key(['write']),
        body: { type: 'passport', side: 'single', file: new Blob([new Uint8Array(jpeg({ text: 'another' }))]) },
        bodySerializer: multipart,
      }),
      201,
    );
    await runAll();
    expect((await instance(body.id)).status).toBe('completed');
  });

  it('by an instance whose step up to the event is still to be computed', async () => {
    const applicationId = await newApplication(service, acme);
    const elements = `${ENDS}<exclusiveGateway id="g" default="f4"/>${RECEIVING}${flow('f1', 's', 'g')}
      ${flow('f2', 'g', 'r', '1 &lt; 2')}${flow('f3', 'r', 'e')}${flow('f4', 'g', 'e')}`;
    const key = await newActiveProcess(service, acme, elements, HEARD);
    const { body } = await success(start(key, { applicationId }), 201);
    expect(body.isBusy).toBe(true);
    await newDocument(service, acme, applicationId);
    await runAll();
    expect((await instance(body.id)).status).toBe('completed');
  });
});

it('A signal reaches an instance that is suspended once it is resumed', async () => {
  const signal = `<signal id="sig" name="closing_${crypto.randomUUID()}"/>`;
  const catching = `${ENDS}<intermediateCatchEvent id="c"><signalEventDefinition signalRef="sig"/>
    </intermediateCatchEvent>${flow('f1', 's', 'c')}${flow('f2', 'c', 'e')}`;
  const throwing = `<startEvent id="s"/><endEvent id="e"><signalEventDefinition signalRef="sig"/></endEvent>
    ${flow('f1', 's', 'e')}`;
  const { body } = await success(start(await newActiveProcess(service, acme, catching, signal)), 201);
  expect((await change(body.id, 'suspend')).status).toBe(200);
  await success(start(await newActiveProcess(service, acme, throwing, signal)), 201);
  await runAll();
  expect((await change(body.id, 'resume')).status).toBe(200);
  await runAll();
  expect((await instance(body.id)).status).toBe('completed');
});

/** Erases an application. */
async function erase(applicationId: string): Promise<void> {
  const erased = await service.request('POST', `/v1/applications/${applicationId}/erase`, {
    as: await acme.user('compliance_officer', { secondFactor: true }),
    body: { reason: 'data_subject_request' },
  });
  expect(erased.status, erased.text).toBe(202);
}

it('An erasure leaves nothing that an instance waited for', async () => {
  const applicationId = await newApplication(service, acme);
  const keyed = `<message id="m" name="signed"><extensionElements><zeebe:subscription correlationKey="=paper"/>
    </extensionElements></message>`;
  const elements = `${ENDS}<receiveTask id="r" messageRef="m"/><boundaryEvent id="t" attachedToRef="r">
    <timerEventDefinition><timeDuration>P30D</timeDuration></timerEventDefinition></boundaryEvent>
    ${flow('f1', 's', 'r')}${flow('f2', 'r', 'e')}${flow('f3', 't', 'e')}`;
  const key = await newActiveProcess(service, acme, elements, keyed);
  const { body } = await success(start(key, { applicationId, variables: { paper: 'a-17' } }), 201);
  await runAll();
  const left = () =>
    service.database.sql('SELECT correlation_key FROM workflow_awaited_message WHERE instance_id = $1', [body.id]);
  expect(await left()).toEqual([{ correlation_key: 'a-17' }]);
  await erase(applicationId);
  expect((await instance(body.id)).status).toBe('erased');
  expect(await left()).toEqual([]);
});

it('An erasure takes back what an instance has sent and nobody has received', async () => {
  const applicationId = await newApplication(service, acme);
  const event = '<messageEventDefinition messageRef="m"/>';
  const roots = `<message id="m" name="ordered_${crypto.randomUUID()}"/>`;
  const sending = `<startEvent id="s"/><endEvent id="e">${event}</endEvent>${flow('f1', 's', 'e')}`;
  const receiving = `<startEvent id="s">${event}</startEvent><endEvent id="e"/>${flow('f1', 's', 'e')}`;
  const definitionKey = await newActiveProcess(service, acme, receiving, roots);
  await success(start(await newActiveProcess(service, acme, sending, roots), { applicationId }), 201);
  await erase(applicationId);
  await runAll();
  const { body } = await success(
    api.GET('/v1/workflows/instances', { params: { query: { definitionKey } }, headers: officer }),
  );
  expect(body.items).toEqual([]);
});
