/** Tests of processes from the upload to the last task, and of who may do what in them. */
import { describe, expect, it } from 'vitest';
import { newApplication } from '../operations/application-records.ts';
import { unique } from '../operations/call.ts';
import {
  newActivation,
  newActiveProcess,
  newDraft,
  newInstance,
  newProcessKey,
  newTimedInstance,
  newWorkflowTask,
  processFile,
} from '../operations/workflow-records.ts';
import { multipart, outcome, refused, success } from '../support/api.ts';
import { type Credential, useService } from '../support/service.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });

const upload = (file: Buffer, as: Credential = officer) =>
  api.POST('/v1/workflows/definitions', {
    headers: as,
    body: { file: new Blob([new Uint8Array(file)]) },
    bodySerializer: multipart,
  });

const { start, instance, tasksOf, complete, openTask } = workflowCalls(service, officer);

describe('A file', () => {
  it('that cannot be read as BPMN is refused, with what is wrong, and nothing is stored', async () => {
    const hostile = Buffer.from('<!DOCTYPE l [<!ENTITY a "b">]><l>&a;</l>');
    const { status, body } = await outcome(upload(hostile));
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'workflow_unreadable',
      errors: [{ pointer: '/file', code: 'xml_forbidden_declaration' }],
    });
  });

  it('is refused with a part that nobody asked for', async () => {
    const answer = await outcome(
      api.POST('/v1/workflows/definitions', {
        headers: officer,
        body: { file: new Blob([new Uint8Array(processFile(newProcessKey()))]), note: 'x' } as never,
        bodySerializer: multipart,
      }),
    );
    expect(refused(answer)).toEqual([422, 'validation_failed']);
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/note' }] });
  });

  it('with errors is a draft that cannot be activated, and each error names its element', async () => {
    const key = newProcessKey();
    const elements = `${ENDS}<exclusiveGateway id="g"/><task id="a"/>${flow('f1', 's', 'g')}
      ${flow('f2', 'g', 'a', 'x')}${flow('f3', 'g', 'e', 'y')}${flow('f4', 'a', 'e')}`;
    const { body } = await success(upload(processFile(key, elements)), 201);
    expect(body.findings).toMatchObject([{ severity: 'error', code: 'missing_default', elementId: 'g' }]);
    const activation = api.POST('/v1/workflows/definitions/{workflowDefinitionId}/activate', {
      params: { path: { workflowDefinitionId: body.id } },
      headers: officer,
      body: { checksum: body.checksum },
    });
    expect(refused(await outcome(activation))).toEqual([409, 'workflow_unsound']);
  });

  it('is downloaded byte for byte', async () => {
    const file = processFile(newProcessKey());
    const { body } = await success(upload(file), 201);
    const downloaded = await service.request('GET', `/v1/workflows/definitions/${body.id}/xml`, { as: officer });
    expect(downloaded.text).toBe(file.toString());
  });

  it('that needs what the service does not offer is a draft that says so', async () => {
    const elements = `${ENDS}<userTask id="c"><extensionElements><zeebe:assignmentDefinition assignee="ana"/>
      </extensionElements></userTask>${flow('f1', 's', 'c')}${flow('f2', 'c', 'e')}`;
    const { body } = await success(upload(processFile(newProcessKey(), elements)), 201);
    expect(body.findings).toMatchObject([{ code: 'unsupported_element', elementId: 'c' }]);
  });
});

describe('An activation', () => {
  it('needs a second person', async () => {
    const { workflowDefinitionId, activationId, evidenceDigest } = await newActivation(service, acme);
    const own = api.POST('/v1/workflows/definitions/{workflowDefinitionId}/activations/{activationId}/review', {
      params: { path: { workflowDefinitionId, activationId } },
      headers: officer,
      body: { verdict: 'confirm', note: 'It is my own proposal.', evidenceDigest },
    });
    expect(refused(await outcome(own))).toEqual([403, 'self_approval_forbidden']);
  });

  it('of a next version leaves instances on theirs', async () => {
    const key = await newActiveProcess(service, acme);
    const { body: first } = await success(start(key), 201);
    const draft = await newDraft(service, acme, { key });
    const { workflowDefinitionId, activationId, evidenceDigest } = await newActivation(service, acme, draft);
    await success(
      api.POST('/v1/workflows/definitions/{workflowDefinitionId}/activations/{activationId}/review', {
        params: { path: { workflowDefinitionId, activationId } },
        headers: await acme.user('compliance_officer', { purpose: 'confirms' }),
        body: { verdict: 'confirm', note: 'The second version.', evidenceDigest },
      }),
    );
    const { body: second } = await success(start(key), 201);
    expect([(await instance(first.id)).definitionNumber, second.definitionNumber]).toEqual([1, 2]);
  });
});

describe('An instance', () => {
  it('starts only by an active version', async () => {
    const { key } = await newDraft(service, acme);
    expect(refused(await outcome(start(key)))).toEqual([409, 'workflow_not_active']);
  });

  it('has a business key that no other running instance of its definition has', async () => {
    const [key, businessKey] = [await newActiveProcess(service, acme), unique()];
    const { body } = await success(start(key, { businessKey }), 201);
    expect(refused(await outcome(start(key, { businessKey })))).toEqual([409, 'business_key_taken']);
    await success(complete(await openTask(body.id, 'review')));
    await success(start(key, { businessKey }), 201);
  });

  it('waits at its task and ends when that is completed', async () => {
    const { body } = await success(start(await newActiveProcess(service, acme)), 201);
    expect(body).toMatchObject({ status: 'active', activeElements: [{ elementId: 'review', waitsFor: 'task' }] });
    await success(complete(await openTask(body.id, 'review'), officer, { approved: true }));
    expect(await instance(body.id)).toMatchObject({
      status: 'completed',
      endEvent: 'e',
      variables: { approved: true },
      activeElements: [],
    });
  });

  it('that is cancelled has no open task left', async () => {
    const id = await newInstance(service, acme);
    await success(
      api.POST('/v1/workflows/instances/{workflowInstanceId}/cancel', {
        params: { path: { workflowInstanceId: id } },
        headers: officer,
        body: { note: 'Started by mistake.' },
      }),
    );
    expect([(await instance(id)).status, (await tasksOf(id)).map(({ status }) => status)]).toEqual([
      'cancelled',
      ['cancelled'],
    ]);
  });

  it('evaluates its expressions in the background, in the order of its commands', async () => {
    const elements = `${ENDS}<userTask id="a"/><userTask id="b"/><exclusiveGateway id="g" default="f3"/>
      ${flow('f1', 's', 'a')}${flow('f2', 'a', 'g')}${flow('f3', 'g', 'e')}${flow('f4', 'g', 'b', 'score &gt; 5')}
      ${flow('f5', 'b', 'e')}`;
    const { body } = await success(start(await newActiveProcess(service, acme, elements)), 201);
    await success(complete(await openTask(body.id, 'a'), officer, { score: 7 }));
    expect((await instance(body.id)).isBusy).toBe(true);
    await service.running.runTasks();
    expect((await instance(body.id)).isBusy).toBe(false);
    expect((await instance(body.id)).activeElements).toMatchObject([{ elementId: 'b' }]);
  });

  it('whose expression cannot be evaluated stops there with an incident', async () => {
    const elements = `${ENDS}<exclusiveGateway id="g" default="f2"/>${flow('f1', 's', 'g')}${flow('f2', 'g', 'e')}
      <task id="a"/>${flow('f3', 'g', 'a', 'missing')}${flow('f4', 'a', 'e')}`;
    const { body } = await success(start(await newActiveProcess(service, acme, elements)), 201);
    await service.running.runTasks();
    expect((await instance(body.id)).incidentCount).toBe(1);
    expect((await instance(body.id)).activeElements).toMatchObject([
      { elementId: 'g', waitsFor: 'incident', incident: { code: 'expression_failed' } },
    ]);
  });
});

describe('A task', () => {
  const roles = (extra: string): string => `${ENDS}<userTask id="a" ${extra}/>${flow('f1', 's', 'a')}
    ${flow('f2', 'a', 'e')}`;

  it('is refused to people without its role', async () => {
    const key = await newActiveProcess(service, acme, roles('kyc:candidateRoles="compliance_officer"'));
    const { body } = await success(start(key), 201);
    const analyst = await acme.user('analyst');
    expect(refused(await outcome(complete(await openTask(body.id, 'a'), analyst)))).toEqual([
      403,
      'workflow_task_forbidden',
    ]);
  });

  it('that somebody claimed is refused to others', async () => {
    const workflowTaskId = await newWorkflowTask(service, acme);
    const { id: assigneeId, as } = await acme.person('analyst');
    const claim = (headers: Credential, assignee: string | null) =>
      outcome(
        api.PATCH('/v1/workflows/tasks/{workflowTaskId}', {
          params: { path: { workflowTaskId } },
          headers: { ...headers, 'Content-Type': 'application/merge-patch+json' },
          body: { assigneeId: assignee },
        }),
      );
    expect((await claim(as, assigneeId)).body).toMatchObject({ status: 'claimed', assigneeId });
    expect(refused(await outcome(complete(workflowTaskId)))).toEqual([403, 'workflow_task_forbidden']);
    expect((await claim((await acme.person('analyst')).as, null)).body).toMatchObject({
      code: 'workflow_task_forbidden',
    });
    expect((await claim(officer, null)).body).toMatchObject({ status: 'created', assigneeId: null });
    await success(complete(workflowTaskId));
    expect(refused(await outcome(complete(workflowTaskId)))).toEqual([409, 'invalid_state_transition']);
  });

  it('is given to another member with its role by a compliance officer alone', async () => {
    const workflowTaskId = await newWorkflowTask(service, acme);
    const { id: assigneeId, as } = await acme.person('analyst');
    const { id: viewerId } = await acme.person('viewer');
    const give = (headers: Credential, to: string) =>
      outcome(
        api.PATCH('/v1/workflows/tasks/{workflowTaskId}', {
          params: { path: { workflowTaskId } },
          headers: { ...headers, 'Content-Type': 'application/merge-patch+json' },
          body: { assigneeId: to },
        }),
      );
    expect(refused(await give(await acme.user('analyst'), assigneeId))).toEqual([403, 'workflow_task_forbidden']);
    expect(refused(await give(officer, viewerId))).toEqual([422, 'assignee_not_eligible']);
    expect((await give(officer, assigneeId)).body).toMatchObject({ status: 'claimed', assigneeId });
    expect(refused(await outcome(complete(workflowTaskId)))).toEqual([403, 'workflow_task_forbidden']);
    await success(complete(workflowTaskId, as));
  });

  it('with four eyes is refused to the person who did the other one', async () => {
    const elements = `${ENDS}<userTask id="a"/><userTask id="b" kyc:notSameUserAs="a"/>${flow('f1', 's', 'a')}
      ${flow('f2', 'a', 'b')}${flow('f3', 'b', 'e')}`;
    const { body } = await success(start(await newActiveProcess(service, acme, elements)), 201);
    await success(complete(await openTask(body.id, 'a')));
    const second = await openTask(body.id, 'b');
    expect(refused(await outcome(complete(second)))).toEqual([403, 'self_approval_forbidden']);
    await success(complete(second, await acme.user('analyst')));
    expect((await instance(body.id)).status).toBe('completed');
  });

  it('is due at the end of its business days', async () => {
    const { body } = await success(start(await newActiveProcess(service, acme, roles('kyc:dueBusinessDays="2"'))), 201);
    const [task] = await tasksOf(body.id);
    expect(Date.parse(task!.dueAt!) - Date.parse(task!.createdAt)).toBeGreaterThan(2 * 86_400_000);
  });
});

it('A timer fires when the clock of the sandbox reaches it', async () => {
  const tenant = await service.tenant();
  await success(api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) }));
  const as = await tenant.user('compliance_officer', { purpose: 'draws' });
  const elements = `${ENDS}<userTask id="a"/><userTask id="late"/><boundaryEvent id="t" attachedToRef="a">
    <timerEventDefinition><timeDuration>P30D</timeDuration></timerEventDefinition></boundaryEvent>
    ${flow('f1', 's', 'a')}${flow('f2', 'a', 'e')}${flow('f3', 't', 'late')}${flow('f4', 'late', 'e')}`;
  const { body } = await success(start(await newActiveProcess(service, tenant, elements), {}, as), 201);
  const { status, text } = await service.request('POST', '/v1/sandbox/simulations', {
    as: await tenant.key(['admin'], { environment: 'test' }),
    body: { type: 'advance_clock', parameters: { seconds: 31 * 86_400 } },
  });
  expect(status, text).toBe(202);
  const { body: tasks } = await success(
    api.GET('/v1/workflows/tasks', { params: { query: { instanceId: body.id } }, headers: as }),
  );
  expect(tasks.items.map(({ elementId, status: of }) => [elementId, of]).sort()).toEqual([
    ['a', 'cancelled'],
    ['late', 'created'],
  ]);
});

it('A timer fires by the job of timers, which finds its tenant among all of them', async () => {
  const id = await newTimedInstance(service, acme);
  await service.running.runJob('workflows.timers');
  expect((await instance(id)).activeElements).toMatchObject([{ elementId: 'review' }]);
  await service.database.sql(`UPDATE workflow_timer SET due_at = now() - interval '1 s' WHERE instance_id = $1`, [id]);
  expect(await service.running.runJob('workflows.timers')).toBeGreaterThan(0);
  expect((await tasksOf(id)).map(({ status }) => status)).toContain('cancelled');
});

it('An erasure ends the instances about an application, and leaves nothing of their variables', async () => {
  const applicationId = await newApplication(service, acme);
  const { body } = await success(
    start(await newActiveProcess(service, acme), { applicationId, variables: { reference: 'abc' } }),
    201,
  );
  const erased = await service.request('POST', `/v1/applications/${applicationId}/erase`, {
    as: await acme.user('compliance_officer', { secondFactor: true }),
    body: { reason: 'data_subject_request' },
  });
  expect(erased.status, erased.text).toBe(202);
  expect(await instance(body.id)).toMatchObject({ status: 'erased', variables: {}, activeElements: [] });
  expect((await tasksOf(body.id)).map(({ status }) => status)).toEqual(['cancelled']);
});
