/** Tests of processes that call others. */
import { describe, expect, it } from 'vitest';
import { newActiveProcess, newProcessKey } from '../operations/workflow-records.ts';
import { success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance, complete, openTask } = workflowCalls(service, officer);

const calling = (key: string): string => `${ENDS}<callActivity id="c" calledElement="${key}"/><userTask id="after"/>
  ${flow('f1', 's', 'c')}${flow('f2', 'c', 'after')}${flow('f3', 'after', 'e')}`;

/** Runs the tasks of the service until none is left that another one has queued. */
const runAll = async (): Promise<void> => {
  for (let round = 0; round < 4; round++) await service.running.runTasks();
};

/** Returns the ids of the instances of a process. */
const instancesOf = async (definitionKey: string): Promise<string[]> => {
  const { body } = await success(
    api.GET('/v1/workflows/instances', { params: { query: { definitionKey } }, headers: officer }),
  );
  return body.items.map(({ id }) => id);
};

async function called(): Promise<{ readonly caller: string; readonly called: string; readonly key: string }> {
  const key = await newActiveProcess(service, acme);
  const { body } = await success(
    start(await newActiveProcess(service, acme, calling(key)), { variables: { channel: 'web' } }),
    201,
  );
  await runAll();
  const [one] = await instancesOf(key);
  return { caller: body.id, called: one!, key };
}

describe('A process that calls another one', () => {
  it('waits for its end, and goes on with its variables', async () => {
    const { caller, called: inner } = await called();
    expect(await instance(inner)).toMatchObject({ parentInstanceId: caller, variables: { channel: 'web' } });
    expect((await instance(caller)).activeElements).toMatchObject([{ elementId: 'c', waitsFor: 'call' }]);
    await success(complete(await openTask(inner, 'review'), officer, { approved: true }));
    await runAll();
    expect(await instance(caller)).toMatchObject({
      variables: { approved: true },
      activeElements: [{ elementId: 'after' }],
    });
  });

  it('begins and ends more of them than one step does', async () => {
    const key = await newActiveProcess(service, acme);
    const many = `${ENDS}<callActivity id="c" calledElement="${key}"><multiInstanceLoopCharacteristics>
      <loopCardinality>25</loopCardinality></multiInstanceLoopCharacteristics></callActivity>
      ${flow('f1', 's', 'c')}${flow('f2', 'c', 'e')}`;
    const { body } = await success(start(await newActiveProcess(service, acme, many)), 201);
    const counted = () =>
      service.database.sql(
        'SELECT status, count(*)::integer FROM workflow_instance WHERE parent_instance_id = $1 GROUP BY status',
        [body.id],
      );
    await runAll();
    expect(await counted()).toEqual([{ status: 'active', count: 25 }]);
    await success(
      api.POST('/v1/workflows/instances/{workflowInstanceId}/cancel', {
        params: { path: { workflowInstanceId: body.id } },
        headers: officer,
        body: { note: 'Started by mistake.' },
      }),
    );
    await runAll();
    expect(await counted()).toEqual([{ status: 'cancelled', count: 25 }]);
  });

  it('takes it along when it is cancelled', async () => {
    const { caller, called: inner } = await called();
    await success(
      api.POST('/v1/workflows/instances/{workflowInstanceId}/cancel', {
        params: { path: { workflowInstanceId: caller } },
        headers: officer,
        body: { note: 'Started by mistake.' },
      }),
    );
    await runAll();
    expect((await instance(inner)).status).toBe('cancelled');
  });

  it('stops if that is cancelled, and calls it again when the incident is resolved', async () => {
    const { caller, called: inner, key } = await called();
    await success(
      api.POST('/v1/workflows/instances/{workflowInstanceId}/cancel', {
        params: { path: { workflowInstanceId: inner } },
        headers: officer,
        body: { note: 'It was not needed.' },
      }),
    );
    await runAll();
    const { body } = await success(
      api.GET('/v1/workflows/incidents', { params: { query: { instanceId: caller } }, headers: officer }),
    );
    expect(body.items).toMatchObject([{ code: 'unhandled_error', elementId: 'c' }]);
    await success(
      api.POST('/v1/workflows/incidents/{workflowIncidentId}/resolve', {
        params: { path: { workflowIncidentId: body.items[0]!.id } },
        headers: officer,
        body: { note: 'It is needed after all.' },
      }),
    );
    await runAll();
    expect(await instancesOf(key)).toHaveLength(2);
  });

  it('calls it once, although its result waits behind a step while the caller is resumed', async () => {
    const key = await newActiveProcess(service, acme);
    const beside = `${calling(key)}<parallelGateway id="g"/><userTask id="u"/><exclusiveGateway id="x" default="f8"/>
      ${flow('f5', 'g', 'u')}${flow('f6', 'u', 'x')}${flow('f7', 'x', 'e', '1 &lt; 2')}${flow('f8', 'x', 'e')}
      ${flow('f9', 'g', 'c')}`.replace(flow('f1', 's', 'c'), flow('f1', 's', 'g'));
    const { body } = await success(start(await newActiveProcess(service, acme, beside)), 201);
    await runAll();
    const [inner] = await instancesOf(key);
    await success(complete(await openTask(body.id, 'u')));
    const delay = (seconds: number) =>
      service.database.sql(
        `UPDATE task SET due_at = now() + make_interval(secs => $2) WHERE subject_id = $1 AND kind = 'workflows.step'`,
        [body.id, seconds],
      );
    await delay(3600);
    await success(complete(await openTask(inner!, 'review')));
    await runAll();
    for (const what of ['suspend', 'resume'] as const) {
      const changed = await service.request('POST', `/v1/workflows/instances/${body.id}/${what}`, {
        as: officer,
        ...(what === 'suspend' && { body: { note: 'We wait for the bank.' } }),
      });
      expect(changed.status, changed.text).toBe(200);
    }
    await runAll();
    await delay(-3600);
    await service.running.runJob('tasks.wake');
    await runAll();
    expect(await instancesOf(key)).toEqual([inner]);
    expect((await instance(body.id)).activeElements).toMatchObject([{ elementId: 'after' }]);
  });

  it.each([
    ['if no version of it is active', async () => newProcessKey()],
    ['if it is that of another tenant', async () => newActiveProcess(service, await service.tenant())],
  ])('stops %s', async (_, keyOf) => {
    const nowhere = await newActiveProcess(service, acme, calling(await keyOf()));
    const { body } = await success(start(nowhere), 201);
    await runAll();
    expect((await instance(body.id)).activeElements).toMatchObject([
      { elementId: 'c', incident: { code: 'called_process_not_found' } },
    ]);
  });
});
