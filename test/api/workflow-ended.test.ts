/** Tests of calls about processes, instances and tasks that have ended, or about an application that is gone. */
import { describe, expect, it } from 'vitest';
import { newApplication } from '../operations/application-records.ts';
import {
  newActivation,
  newActiveProcess,
  newInstance,
  newOutdatedInstance,
  newWorkflowTask,
} from '../operations/workflow-records.ts';
import { outcome, refused, success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const second = await acme.user('compliance_officer', { purpose: 'confirms' });
const { start, complete } = workflowCalls(service, officer);
const note = 'It is of no use any more.';
const NOT_ANY_MORE = [409, 'invalid_state_transition'];

describe('An instance that was cancelled', () => {
  const call = (path: string, body?: object, method: 'POST' | 'PATCH' = 'POST') =>
    service.request<{ code: string }>(method, `/v1/workflows/instances/${path}`, {
      as: officer,
      ...(body !== undefined && { body }),
      ...(method === 'PATCH' && { headers: { 'Content-Type': 'application/merge-patch+json' } }),
    });

  it('is neither cancelled again, nor suspended, resumed, moved, migrated or given variables', async () => {
    const { workflowInstanceId: id, definitionId } = await newOutdatedInstance(service, acme);
    expect((await call(`${id}/cancel`, { note })).status).toBe(200);
    const answers = [
      await call(`${id}/cancel`, { note }),
      await call(`${id}/suspend`, { note }),
      await call(`${id}/resume`),
      await call(`${id}/modify`, { begin: ['review'], note }),
      await call(`${id}/migrate`, { definitionId, note }),
      await call(`${id}/variables`, { variables: { channel: 'web' } }, 'PATCH'),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => NOT_ANY_MORE));
  });

  it('is not resumed if it goes on already', async () => {
    const { status, body } = await call(`${await newInstance(service, acme)}/resume`);
    expect([status, body.code]).toEqual(NOT_ANY_MORE);
  });
});

describe('A version', () => {
  const review = (of: { workflowDefinitionId: string; activationId: string }, evidenceDigest: string) =>
    api.POST('/v1/workflows/definitions/{workflowDefinitionId}/activations/{activationId}/review', {
      params: { path: of },
      headers: second,
      body: { verdict: 'confirm', note: 'The process is as agreed.', evidenceDigest },
    });

  it('that is active is not activated or reviewed again, and is retired once', async () => {
    const { workflowDefinitionId, activationId, evidenceDigest, checksum } = await newActivation(service, acme);
    const of = { workflowDefinitionId, activationId };
    await success(review(of, evidenceDigest));
    const path = { workflowDefinitionId };
    const activate = api.POST('/v1/workflows/definitions/{workflowDefinitionId}/activate', {
      params: { path },
      headers: officer,
      body: { checksum },
    });
    expect(refused(await outcome(activate))).toEqual(NOT_ANY_MORE);
    expect(refused(await outcome(review(of, evidenceDigest)))).toEqual(NOT_ANY_MORE);
    const retire = () =>
      api.POST('/v1/workflows/definitions/{workflowDefinitionId}/retire', { params: { path }, headers: officer });
    await success(retire());
    expect(refused(await outcome(retire()))).toEqual(NOT_ANY_MORE);
  });

  it('is confirmed by nobody who has read something else', async () => {
    const { workflowDefinitionId, activationId } = await newActivation(service, acme);
    const digest = `sha256:${'0'.repeat(64)}`;
    expect(refused(await outcome(review({ workflowDefinitionId, activationId }, digest)))).toEqual([
      409,
      'evidence_changed',
    ]);
  });
});

it('A task that was completed is not given to anybody', async () => {
  const workflowTaskId = await newWorkflowTask(service, acme);
  await success(complete(workflowTaskId));
  const { id: assigneeId } = await acme.person('analyst');
  const given = api.PATCH('/v1/workflows/tasks/{workflowTaskId}', {
    params: { path: { workflowTaskId } },
    headers: { ...officer, 'Content-Type': 'application/merge-patch+json' },
    body: { assigneeId },
  });
  expect(refused(await outcome(given))).toEqual(NOT_ANY_MORE);
});

it('An instance begins about no application that is unknown or erased', async () => {
  const key = await newActiveProcess(service, acme);
  expect(refused(await outcome(start(key, { applicationId: crypto.randomUUID() })))).toEqual([404, 'not_found']);
  const applicationId = await newApplication(service, acme);
  const erased = await service.request('POST', `/v1/applications/${applicationId}/erase`, {
    as: await acme.user('compliance_officer', { secondFactor: true }),
    body: { reason: 'data_subject_request' },
  });
  expect(erased.status, erased.text).toBe(202);
  expect(refused(await outcome(start(key, { applicationId })))).toEqual([410, 'erased']);
});
