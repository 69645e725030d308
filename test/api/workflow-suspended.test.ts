/** Tests of instances to which something happens while they are suspended. */
import { expect, it } from 'vitest';
import { newApplication, newDocument } from '../operations/application-records.ts';
import { confirmed, newActiveProcess, newDraft } from '../operations/workflow-records.ts';
import { success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance } = workflowCalls(service, officer);
const note = 'We wait for the bank.';

/** Runs the tasks of the service until none is left that another one has queued. */
const runAll = async (): Promise<void> => {
  for (let round = 0; round < 4; round++) await service.running.runTasks();
};

const change = (workflowInstanceId: string, what: 'suspend' | 'resume' | 'cancel') =>
  service.request('POST', `/v1/workflows/instances/${workflowInstanceId}/${what}`, {
    as: officer,
    ...(what !== 'resume' && { body: { note } }),
  });

/** Waits for a document, and then has more to do if the limit is high. */
const LIMITED = `${ENDS}<receiveTask id="r" messageRef="m"/><exclusiveGateway id="g" default="f4"/><userTask id="a"/>
  ${flow('f1', 's', 'r')}${flow('f2', 'r', 'g')}${flow('f3', 'g', 'a', 'limit &gt; 10')}${flow('f4', 'g', 'e')}
  ${flow('f5', 'a', 'e')}`;
const HEARD = '<message id="m" name="document.added"/>';

/** Starts an instance with a low limit, and suspends it before a document is added. */
async function suspendedBeforeDocument() {
  const applicationId = await newApplication(service, acme);
  const key = await newActiveProcess(service, acme, LIMITED, HEARD);
  const { body } = await success(start(key, { applicationId, variables: { limit: 1 } }), 201);
  expect((await change(body.id, 'suspend')).status).toBe(200);
  await newDocument(service, acme, applicationId);
  await runAll();
  return { id: body.id, key };
}

it('Variables are corrected before what a suspended instance has heard takes effect', async () => {
  const { id } = await suspendedBeforeDocument();
  const { version } = await instance(id);
  const { body } = await success(
    api.PATCH('/v1/workflows/instances/{workflowInstanceId}/variables', {
      params: { path: { workflowInstanceId: id }, header: { 'If-Match': `"${version}"` } },
      headers: { ...officer, 'Content-Type': 'application/merge-patch+json' },
      body: { variables: { limit: 20 } },
    }),
  );
  expect(body).toMatchObject({ variables: { limit: 20 }, isBusy: true });
  expect((await change(id, 'resume')).status).toBe(200);
  await runAll();
  expect((await instance(id)).activeElements).toMatchObject([{ elementId: 'a' }]);
});

it('A suspended instance continues by another version, which then hears what happened meanwhile', async () => {
  const { id, key } = await suspendedBeforeDocument();
  const draft = await newDraft(service, acme, { key, elements: LIMITED.replace('10', '0'), roots: HEARD });
  await confirmed(service, acme, draft);
  await success(
    api.POST('/v1/workflows/instances/{workflowInstanceId}/migrate', {
      params: { path: { workflowInstanceId: id } },
      headers: officer,
      body: { definitionId: draft.workflowDefinitionId, note },
    }),
  );
  expect((await change(id, 'resume')).status).toBe(200);
  await runAll();
  expect(await instance(id)).toMatchObject({ definitionNumber: 2, activeElements: [{ elementId: 'a' }] });
});

it('A process that was called ends although its caller is suspended before a task could end it', async () => {
  const called = await newActiveProcess(service, acme);
  const calling = `${ENDS}<callActivity id="c" calledElement="${called}"/><userTask id="after"/>
    <boundaryEvent id="b" attachedToRef="c"><signalEventDefinition signalRef="sig"/></boundaryEvent>
    ${flow('f1', 's', 'c')}${flow('f2', 'c', 'e')}${flow('f3', 'b', 'after')}${flow('f4', 'after', 'e')}`;
  const roots = `<signal id="sig" name="closing_${crypto.randomUUID()}"/>`;
  const { body } = await success(start(await newActiveProcess(service, acme, calling, roots)), 201);
  await runAll();
  const { body: found } = await success(
    api.GET('/v1/workflows/instances', { params: { query: { definitionKey: called } }, headers: officer }),
  );
  // The task that ends what is no longer waited for is late.
  await service.database.sql(
    `INSERT INTO task (tenant_id, id, kind, subject_id, is_bulk, due_at, created_at)
      VALUES ($1, $2, 'workflows.calls', $3, false, now() + interval '1 h', now())`,
    [acme.id, crypto.randomUUID(), body.id],
  );
  const throwing = `<startEvent id="s"/><endEvent id="e"><signalEventDefinition signalRef="sig"/></endEvent>
    ${flow('f1', 's', 'e')}`;
  await success(start(await newActiveProcess(service, acme, throwing, roots)), 201);
  await runAll();
  expect((await instance(body.id)).activeElements).toMatchObject([{ elementId: 'after' }]);
  expect((await change(body.id, 'suspend')).status).toBe(200);
  await service.database.sql(`UPDATE task SET due_at = now() - interval '1 h' WHERE subject_id = $1`, [body.id]);
  await service.running.runJob('tasks.wake');
  await runAll();
  expect((await change(body.id, 'cancel')).status).toBe(200);
  await runAll();
  expect((await instance(found.items[0]!.id)).status).toBe('cancelled');
});
