/** Tests of instances that are moved by hand: to other elements, to other versions, one by one and many at once. */
import { describe, expect, it } from 'vitest';
import {
  confirmed,
  newActiveProcess,
  newDraft,
  newIncident,
  newInstance,
  newOutdatedInstance,
  newTimedInstance,
} from '../operations/workflow-records.ts';
import { outcome, refused, success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance, tasksOf, complete, openTask } = workflowCalls(service, officer);
const NOTE = 'The version is better.';

const TWO = `${ENDS}<userTask id="a"/><userTask id="b"/>${flow('f1', 's', 'a')}${flow('f2', 'a', 'b')}
  ${flow('f3', 'b', 'e')}`;
/** A gateway whose condition is computed in the background. */
const BUSY = `${ENDS}<exclusiveGateway id="g" default="f2"/><userTask id="review"/>${flow('f1', 's', 'g')}
  ${flow('f2', 'g', 'review')}${flow('f3', 'g', 'e', '1 &gt; 2')}${flow('f4', 'review', 'e')}`;

const modify = (workflowInstanceId: string, body: object) =>
  api.POST('/v1/workflows/instances/{workflowInstanceId}/modify', {
    params: { path: { workflowInstanceId } },
    headers: officer,
    body: { note: 'It goes on elsewhere.', ...body },
  });
const migrate = (workflowInstanceId: string, definitionId: string, more: object = {}) =>
  api.POST('/v1/workflows/instances/{workflowInstanceId}/migrate', {
    params: { path: { workflowInstanceId } },
    headers: officer,
    body: { definitionId, note: NOTE, ...more },
  });

describe('A token', () => {
  it('is moved from one task to another', async () => {
    const id = await newInstance(service, acme, TWO);
    const { body } = await success(modify(id, { end: [2], begin: ['b'] }));
    expect(body.activeElements).toMatchObject([{ elementId: 'b' }]);
    expect((await tasksOf(id)).map(({ elementId, status }) => [elementId, status]).sort()).toEqual([
      ['a', 'cancelled'],
      ['b', 'created'],
    ]);
    await success(complete(await openTask(id, 'b')));
    expect((await instance(id)).status).toBe('completed');
  });

  it.each([
    ['of an execution that is not there', { end: [99] }, '/end'],
    ['to an element that is not there', { begin: ['nowhere'] }, '/begin'],
    ['without saying which', {}, '/begin'],
  ])('is not moved %s, and nothing changes', async (_, body, pointer) => {
    const id = await newInstance(service, acme, TWO);
    const answer = await outcome(modify(id, body));
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { code: 'workflow_change_impossible', errors: [{ pointer }] },
    ]);
    expect((await instance(id)).version).toBe(2);
  });

  it('is not moved while a step of its instance is computed', async () => {
    const id = await newInstance(service, acme, BUSY);
    expect(refused(await outcome(modify(id, { begin: ['review'] })))).toEqual([409, 'workflow_busy']);
  });
});

describe('An instance', () => {
  it('continues by another version, with its task under its new id', async () => {
    const renamed = TWO.replaceAll('"a"', '"first"');
    const { workflowInstanceId, definitionId } = await newOutdatedInstance(service, acme, renamed);
    const { body } = await success(
      migrate(workflowInstanceId, definitionId, { mappings: [{ from: 'review', to: 'first' }] }),
    );
    expect(body).toMatchObject({ definitionNumber: 2, activeElements: [{ elementId: 'first' }] });
    await success(complete(await openTask(workflowInstanceId, 'first')));
    expect((await instance(workflowInstanceId)).activeElements).toMatchObject([{ elementId: 'b' }]);
  });

  it('waits for the timer that the other version adds', async () => {
    const timed = `${ENDS}<userTask id="review"/><boundaryEvent id="t" attachedToRef="review"><timerEventDefinition>
      <timeDuration>P3D</timeDuration></timerEventDefinition></boundaryEvent>${flow('f1', 's', 'review')}
      ${flow('f2', 'review', 'e')}${flow('f3', 't', 'e')}`;
    const { workflowInstanceId, definitionId } = await newOutdatedInstance(service, acme, timed);
    await success(migrate(workflowInstanceId, definitionId));
    const timers = await service.database.sql('SELECT 1 FROM workflow_timer WHERE instance_id = $1', [
      workflowInstanceId,
    ]);
    expect(timers).toHaveLength(1);
  });

  it('of which the other version has not every element stays as it is, with each reason', async () => {
    const { workflowInstanceId, definitionId } = await newOutdatedInstance(service, acme, TWO);
    const answer = await outcome(migrate(workflowInstanceId, definitionId));
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { code: 'workflow_change_impossible', errors: [{ pointer: '/mappings', code: 'unknown_element' }] },
    ]);
    expect((await instance(workflowInstanceId)).definitionNumber).toBe(1);
  });

  it('is only shown as it would be by a dry run', async () => {
    const { workflowInstanceId, definitionId } = await newOutdatedInstance(service, acme);
    const { body } = await success(migrate(workflowInstanceId, definitionId, { dryRun: true }));
    expect([body.definitionNumber, (await instance(workflowInstanceId)).definitionNumber]).toEqual([2, 1]);
  });

  it('continues by no version that can never end', async () => {
    const key = await newActiveProcess(service, acme);
    const { body } = await success(start(key), 201);
    const elements = `<startEvent id="s"/><userTask id="review"/><userTask id="b"/>${flow('f1', 's', 'review')}
      ${flow('f2', 'review', 'b')}${flow('f3', 'b', 'review')}`;
    const { workflowDefinitionId } = await newDraft(service, acme, { key, elements });
    const params = { path: { workflowDefinitionId } };
    const { body: unsound } = await success(
      api.GET('/v1/workflows/definitions/{workflowDefinitionId}', { params, headers: officer }),
    );
    expect(unsound.findings).toContainEqual(expect.objectContaining({ severity: 'error', code: 'no_way_to_end' }));
    expect(refused(await outcome(migrate(body.id, workflowDefinitionId)))).toEqual([409, 'workflow_not_active']);
    expect((await instance(body.id)).definitionNumber).toBe(1);
  });

  it('continues neither by a draft nor by the version of another process', async () => {
    const key = await newActiveProcess(service, acme);
    const { body } = await success(start(key), 201);
    const draft = await newDraft(service, acme, { key });
    const other = await newDraft(service, acme);
    expect(refused(await outcome(migrate(body.id, draft.workflowDefinitionId)))).toEqual([409, 'workflow_not_active']);
    expect(refused(await outcome(migrate(body.id, other.workflowDefinitionId)))).toEqual([404, 'not_found']);
  });

  it('continues by no other version while a step is computed', async () => {
    const key = await newActiveProcess(service, acme, BUSY);
    const { body } = await success(start(key), 201);
    const draft = await newDraft(service, acme, { key });
    await confirmed(service, acme, draft);
    expect(refused(await outcome(migrate(body.id, draft.workflowDefinitionId)))).toEqual([409, 'workflow_busy']);
  });
});

describe('A batch', () => {
  const batch = (body: object) =>
    api.POST('/v1/workflows/batches', {
      headers: officer,
      body: { note: 'They are all alike.', ...body } as never,
    });
  const ended = async (workflowBatchId: string) => {
    await service.running.runTasks();
    const { body } = await success(
      api.GET('/v1/workflows/batches/{workflowBatchId}', { params: { path: { workflowBatchId } }, headers: officer }),
    );
    return body;
  };

  it('migrates every instance that it can, and counts the others', async () => {
    const { workflowInstanceId, definitionId, definitionKey } = await newOutdatedInstance(service, acme);
    const { body } = await success(batch({ action: 'migrate', filter: { definitionKey }, definitionId }), 202);
    expect(body).toMatchObject({ status: 'running', total: 1 });
    expect(await ended(body.id)).toMatchObject({ status: 'completed', done: 1, refused: 0 });
    expect((await instance(workflowInstanceId)).definitionNumber).toBe(2);
  });

  it('cancels more instances than one transaction changes', async () => {
    const definitionKey = await newActiveProcess(service, acme);
    for (let i = 0; i < 12; i++) await success(start(definitionKey), 201);
    const { body } = await success(batch({ action: 'cancel', filter: { definitionKey } }), 202);
    expect(await ended(body.id)).toMatchObject({ total: 12, done: 12, refused: 0 });
  });

  it('resolves incidents', async () => {
    const incidentId = await newIncident(service, acme);
    const { body: list } = await success(
      api.GET('/v1/workflows/incidents', { params: { query: { limit: 100 } }, headers: officer }),
    );
    const { definitionKey } = list.items.find(({ id }) => id === incidentId)!;
    const { body } = await success(batch({ action: 'retry', filter: { definitionKey, hasIncident: true } }), 202);
    expect(await ended(body.id)).toMatchObject({ total: 1, done: 1 });
  });

  it('waits until the one before has ended', async () => {
    const definitionKey = await newActiveProcess(service, acme);
    await success(start(definitionKey), 201);
    const { body } = await success(batch({ action: 'cancel', filter: { definitionKey } }), 202);
    expect(refused(await outcome(batch({ action: 'cancel', filter: { definitionKey } })))).toEqual([
      409,
      'workflow_batch_running',
    ]);
    await ended(body.id);
  });

  it('of more than a thousand instances is refused', async () => {
    const id = await newTimedInstance(service, acme);
    const { definitionKey } = await instance(id);
    await service.database.sql(
      `INSERT INTO workflow_instance (tenant_id, id, environment, definition_id, definition_key, definition_number,
          depth, status, incident_count, variables, started_by, started_at, updated_at)
        SELECT tenant_id, gen_random_uuid(), environment, definition_id, definition_key, definition_number,
          depth, status, incident_count, variables, started_by, started_at, updated_at
        FROM workflow_instance, generate_series(1, 1000) WHERE id = $1`,
      [id],
    );
    const answer = await outcome(batch({ action: 'cancel', filter: { definitionKey } }));
    expect(refused(answer)).toEqual([422, 'workflow_batch_too_large']);
  });

  it.each([
    ['a migration without a version', { action: 'migrate' }, '/definitionId'],
    ['a cancellation with mappings', { action: 'cancel', mappings: [] }, '/mappings'],
  ])('is refused for %s', async (_, body, pointer) => {
    const answer = await outcome(batch({ filter: { definitionKey: 'p' }, ...body }));
    expect([answer.status, answer.body]).toMatchObject([422, { code: 'validation_failed', errors: [{ pointer }] }]);
  });

  it('to a version that is not active, or not there, is refused', async () => {
    const { workflowDefinitionId: definitionId, key: definitionKey } = await newDraft(service, acme);
    const to = (id: string) => outcome(batch({ action: 'migrate', filter: { definitionKey }, definitionId: id }));
    expect(refused(await to(definitionId))).toEqual([409, 'workflow_not_active']);
    expect(refused(await to(crypto.randomUUID()))).toEqual([404, 'not_found']);
  });
});
