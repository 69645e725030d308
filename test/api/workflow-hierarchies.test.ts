/** Tests of how many instances one leads to, by calls, messages and signals together. */
import { describe, expect, it } from 'vitest';
import { newActiveProcess, newProcessKey } from '../operations/workflow-records.ts';
import { success } from '../support/api.ts';
import { whileHierarchyWaits } from '../support/locks.ts';
import { useService } from '../support/service.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance, complete, openTask } = workflowCalls(service, officer);

/** Number of instances that one root begins at most, as the guide says. */
const MOST = 10_000;

/** Runs the tasks of the service until none is left that another one has queued. */
const runAll = async (): Promise<void> => {
  for (let round = 0; round < 4; round++) await service.running.runTasks();
};

const calling = (key: string, times: number): string => `${ENDS}<userTask id="a"/>
  <callActivity id="c" calledElement="${key}"><multiInstanceLoopCharacteristics>
    <loopCardinality>${times}</loopCardinality></multiInstanceLoopCharacteristics></callActivity>
  ${flow('f1', 's', 'a')}${flow('f2', 'a', 'c')}${flow('f3', 'c', 'e')}`;

/** Counts instances that a root has begun and that have ended, up to so many that there is room for a number more. */
const leaveRoom = (rootId: string, room: number) =>
  service.database.sql(
    `INSERT INTO workflow_instance (tenant_id, id, environment, definition_id, definition_key, definition_number,
        root_instance_id, depth, status, incident_count, variables, started_by, started_at, updated_at)
      SELECT tenant_id, gen_random_uuid(), environment, definition_id, definition_key, definition_number,
        id, 1, 'completed', 0, '{}', started_by, started_at, updated_at
      FROM workflow_instance, generate_series(1, $2::integer
        - (SELECT count(*) FROM workflow_instance WHERE root_instance_id = $1)::integer) WHERE id = $1`,
    [rootId, MOST - room],
  );

const begunBy = (rootId: string, status = 'active') =>
  service.database.sql<{ id: string; depth: number }>(
    'SELECT id, depth FROM workflow_instance WHERE root_instance_id = $1 AND status = $2 ORDER BY id',
    [rootId, status],
  );

const incidentsOf = async (instanceId: string) =>
  (await success(api.GET('/v1/workflows/incidents', { params: { query: { instanceId } }, headers: officer }))).body
    .items;

async function started(elements: string, roots?: string): Promise<string> {
  return (await success(start(await newActiveProcess(service, acme, elements, roots)), 201)).body.id;
}

const FULL = {
  elementId: 'c',
  code: 'too_many_instances',
  message: 'One instance has begun 10000 others, by calls and messages together.',
};

describe('An instance that has begun ten thousand others', () => {
  it('calls no other one, goes on with those that it has called, and can be cancelled', async () => {
    const root = await started(calling(await newActiveProcess(service, acme), 3));
    await leaveRoom(root, 2);
    await success(complete(await openTask(root, 'a')));
    await runAll();
    const called = await begunBy(root);
    expect([called.map(({ depth }) => depth), await incidentsOf(root)]).toMatchObject([[1, 1], [FULL]]);
    const [incident] = await incidentsOf(root);
    await success(
      api.POST('/v1/workflows/incidents/{workflowIncidentId}/resolve', {
        params: { path: { workflowIncidentId: incident!.id } },
        headers: officer,
        body: { note: 'Try whether there is room.' },
      }),
    );
    await runAll();
    const again = await incidentsOf(root);
    expect(again.map(({ status, code }) => [status, code])).toEqual([
      ['open', 'too_many_instances'],
      ['resolved', 'too_many_instances'],
    ]);
    for (const { id } of called) await success(complete(await openTask(id, 'review')));
    await runAll();
    expect(await instance(root)).toMatchObject({ status: 'active', incidentCount: 1 });
    const { body } = await success(
      api.POST('/v1/workflows/instances/{workflowInstanceId}/cancel', {
        params: { path: { workflowInstanceId: root } },
        headers: officer,
        body: { note: 'It has called enough.' },
      }),
    );
    expect(body).toMatchObject({ status: 'cancelled', incidentCount: 0 });
  });

  it('lets none that it has called begin another one', async () => {
    const inner = await newActiveProcess(service, acme, calling(await newActiveProcess(service, acme), 1));
    const root = await started(calling(inner, 1));
    await success(complete(await openTask(root, 'a')));
    await runAll();
    const [called] = await begunBy(root);
    await leaveRoom(root, 0);
    await success(complete(await openTask(called!.id, 'a')));
    await runAll();
    expect([await incidentsOf(called!.id), await incidentsOf(root)]).toMatchObject([[FULL], []]);
    expect(await begunBy(root)).toEqual([called]);
  });

  it('lets one that it has called wait until another one has taken the last place', async () => {
    const inner = await newActiveProcess(service, acme, calling(await newActiveProcess(service, acme), 1));
    const root = await started(calling(inner, 1));
    await success(complete(await openTask(root, 'a')));
    await runAll();
    const [called] = await begunBy(root);
    await leaveRoom(root, 1);
    await success(complete(await openTask(called!.id, 'a')));
    const round = await whileHierarchyWaits(service.database, root, async (isWaitedFor) => {
      const waiting = { running: service.running.runTasks() };
      await isWaitedFor();
      await leaveRoom(root, 0);
      return waiting;
    });
    await round.running;
    await runAll();
    expect(await incidentsOf(called!.id)).toMatchObject([FULL]);
    expect(await begunBy(root)).toEqual([called]);
  });

  it.each(['message', 'signal'])('begins no other one by a %s, and the audit log says so', async (kind) => {
    const key = newProcessKey();
    const [named, definition] = [`<${kind} id="m" name="${key}"/>`, `<${kind}EventDefinition ${kind}Ref="m"/>`];
    const heard = `<startEvent id="s">${definition}</startEvent><userTask id="a"/><endEvent id="e"/>
      ${flow('f1', 's', 'a')}${flow('f2', 'a', 'e')}`;
    await newActiveProcess(service, acme, heard, named);
    const sending = `<startEvent id="s"/><userTask id="a"/><endEvent id="e">${definition}</endEvent>
      ${flow('f1', 's', 'a')}${flow('f2', 'a', 'e')}`;
    const sender = await newActiveProcess(service, acme, sending, named);
    const root = await started(calling(sender, 2));
    await success(complete(await openTask(root, 'a')));
    await runAll();
    const [first, second] = await begunBy(root);
    await success(complete(await openTask(first!.id, 'a')));
    await runAll();
    const begun = (await begunBy(root)).filter(({ id }) => id !== second!.id);
    expect(begun).toMatchObject([{ depth: 2 }]);
    await leaveRoom(root, 0);
    await success(complete(await openTask(second!.id, 'a')));
    await runAll();
    expect(await begunBy(root)).toEqual(begun);
    const refused = (await acme.audit()).filter(
      ({ action, resource_id: id }) => action === 'workflow.start_refused' && id === second!.id,
    );
    expect(refused).toMatchObject([{ outcome: 'failed', reason: 'too_many_instances' }]);
  });
});
