/**
 * Tests of what changes while it is a draft, and of calls about processes, instances and tasks that have ended, or
 * about an application that is gone.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newApplication } from '../operations/application-records.ts';
import {
  confirmed,
  newActivation,
  newActiveProcess,
  newDraft,
  newInstance,
  newOutdatedInstance,
  newWorkflowTask,
  processFile,
  REVIEWED_TWICE,
  workOf,
} from '../operations/workflow-records.ts';
import { multipart, outcome, refused, success } from '../support/api.ts';
import { whileChangesWait } from '../support/locks.ts';
import { useService } from '../support/service.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

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

const review = (of: Awaited<ReturnType<typeof newActivation>>, verdict: 'confirm' | 'return' = 'confirm') => {
  const { workflowDefinitionId, activationId, evidenceDigest } = of;
  return api.POST('/v1/workflows/definitions/{workflowDefinitionId}/activations/{activationId}/review', {
    params: { path: { workflowDefinitionId, activationId } },
    headers: second,
    body: { verdict, note: 'I have read the process.', evidenceDigest },
  });
};

describe('A version', () => {
  it('that is active is not activated or reviewed again, and is retired once', async () => {
    const activation = await newActivation(service, acme);
    const { workflowDefinitionId, checksum } = activation;
    await success(review(activation));
    const path = { workflowDefinitionId };
    const activate = api.POST('/v1/workflows/definitions/{workflowDefinitionId}/activate', {
      params: { path },
      headers: officer,
      body: { checksum },
    });
    expect(refused(await outcome(activate))).toEqual(NOT_ANY_MORE);
    expect(refused(await outcome(review(activation)))).toEqual(NOT_ANY_MORE);
    const retire = () =>
      api.POST('/v1/workflows/definitions/{workflowDefinitionId}/retire', { params: { path }, headers: officer });
    await success(retire());
    expect(refused(await outcome(retire()))).toEqual(NOT_ANY_MORE);
  });

  it('is confirmed by nobody who has read something else', async () => {
    const activation = await newActivation(service, acme);
    const unread = review({ ...activation, evidenceDigest: `sha256:${'0'.repeat(64)}` });
    expect(refused(await outcome(unread))).toEqual([409, 'evidence_changed']);
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

const revise = (workflowDefinitionId: string, parts: { file?: Buffer; name?: string }, version: number | 'any' = 1) =>
  api.PATCH('/v1/workflows/definitions/{workflowDefinitionId}', {
    params: {
      path: { workflowDefinitionId },
      ...(version !== 'any' && { header: { 'If-Match': `"${version}"` } }),
    },
    headers: officer,
    body: {
      ...(parts.name !== undefined && { name: parts.name }),
      ...(parts.file !== undefined && { file: new Blob([new Uint8Array(parts.file)]) }),
    },
    bodySerializer: multipart,
  });
const definition = async (workflowDefinitionId: string) =>
  (
    await success(
      api.GET('/v1/workflows/definitions/{workflowDefinitionId}', {
        params: { path: { workflowDefinitionId } },
        headers: officer,
      }),
    )
  ).body;
const UNSOUND = `${ENDS}<exclusiveGateway id="g"/><task id="a"/>${flow('f1', 's', 'g')}
  ${flow('f2', 'g', 'a', 'x')}${flow('f3', 'g', 'e', 'y')}${flow('f4', 'a', 'e')}`;

const timed = (time: string): string => `${ENDS}<intermediateCatchEvent id="c"><timerEventDefinition>${time}
  </timerEventDefinition></intermediateCatchEvent>${flow('f1', 's', 'c')}${flow('f2', 'c', 'e')}`;
const repeating = (list: string): string => `${ENDS}<userTask id="a"><multiInstanceLoopCharacteristics>
  <extensionElements><zeebe:loopCharacteristics inputCollection="${list}" inputElement="x"/></extensionElements>
  </multiInstanceLoopCharacteristics></userTask>${flow('f1', 's', 'a')}${flow('f2', 'a', 'e')}`;
const LOOP = `${ENDS}<exclusiveGateway id="m"/><task id="a"/><exclusiveGateway id="g" default="f4"/>
  ${flow('f1', 's', 'm')}${flow('f2', 'm', 'a')}${flow('f3', 'a', 'g')}${flow('f4', 'g', 'm')}
  ${flow('f5', 'g', 'e', 'x')}`;

describe('A draft', () => {
  it('gets another file, is examined again, and instances run by the file that two people have seen last', async () => {
    const draft = await newDraft(service, acme, { elements: UNSOUND });
    const { workflowDefinitionId, key, checksum } = draft;
    expect((await definition(workflowDefinitionId)).findings).toMatchObject([{ code: 'missing_default' }]);
    const file = processFile(key, REVIEWED_TWICE);
    const { body } = await success(revise(workflowDefinitionId, { file }));
    expect(body).toMatchObject({
      key,
      number: 1,
      version: 2,
      status: 'draft',
      name: 'Onboarding',
      findings: [],
    });
    expect(body.checksum).not.toBe(checksum);
    const path = `/v1/workflows/definitions/${workflowDefinitionId}/xml`;
    expect((await service.request('GET', path, { as: officer })).text).toBe(file.toString());
    const outdated = api.POST('/v1/workflows/definitions/{workflowDefinitionId}/activate', {
      params: { path: { workflowDefinitionId } },
      headers: officer,
      body: { checksum },
    });
    expect((await outcome(outdated)).status).toBe(409);
    await confirmed(service, acme, { ...draft, checksum: body.checksum });
    const { body: started } = await success(start(key), 201);
    expect(started.activeElements).toMatchObject([{ elementId: 'first_review' }]);
  });

  it('gets another name, and keeps its file; the next file brings its own name', async () => {
    const { workflowDefinitionId, key } = await newDraft(service, acme);
    const before = await definition(workflowDefinitionId);
    const { body } = await success(revise(workflowDefinitionId, { name: 'Accounts of persons' }));
    expect(body).toMatchObject({ name: 'Accounts of persons', fileSha256: before.fileSha256, version: 2 });
    const { body: next } = await success(revise(workflowDefinitionId, { file: processFile(key, REVIEWED_TWICE) }, 2));
    expect(next).toMatchObject({ name: 'Onboarding', version: 3 });
  });

  it('keeps the file that it got while it was given another name', async () => {
    const { workflowDefinitionId, key } = await newDraft(service, acme);
    const file = processFile(key, workOf('external.score'));
    const both = await whileChangesWait(service.database, async (isWaitedFor) => {
      const withFile = success(revise(workflowDefinitionId, { file }, 'any'));
      await isWaitedFor();
      const withName = success(revise(workflowDefinitionId, { name: 'Accounts of persons' }, 'any'));
      await isWaitedFor(2);
      return [withFile, withName] as const;
    });
    const [{ body: first }, { body: last }] = await Promise.all(both);
    expect([first.version, last.version]).toEqual([2, 3]);
    expect(last).toMatchObject({
      name: 'Accounts of persons',
      fileSha256: createHash('sha256').update(file).digest('hex'),
      jobTypes: ['external.score'],
    });
  });

  it.each([
    ['neither a file nor a name', () => ({}), [422, 'validation_failed'], '/file'],
    ['a name of spaces', () => ({ name: '  ' }), [422, 'validation_failed'], '/name'],
    ['a name that is cut into lines', () => ({ name: 'a\nb' }), [422, 'validation_failed'], '/name'],
    ['a file of another process', () => ({ file: processFile('another') }), [422, 'validation_failed'], '/file'],
    ['a file that cannot be read', () => ({ file: Buffer.from('just words') }), [422, 'workflow_unreadable'], '/file'],
    [
      'a file nested fifty thousand deep',
      () => ({ file: Buffer.from('<a>'.repeat(50_000) + '</a>'.repeat(50_000)) }),
      [422, 'workflow_unreadable'],
      '/file',
    ],
    [
      'a file with twenty thousand equal ids',
      (key: string) => ({ file: processFile(key, '<task id="same"/>'.repeat(20_000)) }),
      [422, 'workflow_unreadable'],
      '/file',
    ],
    [
      'a file in another encoding than it says',
      (key: string) => ({ file: Buffer.concat([processFile(key), Buffer.from([0xff, 0xfe])]) }),
      [422, 'workflow_unreadable'],
      '/file',
    ],
    [
      'a file with a document type',
      (key: string) => ({ file: Buffer.concat([Buffer.from('<!DOCTYPE x>'), processFile(key)]) }),
      [422, 'workflow_unreadable'],
      '/file',
    ],
  ])('is not changed by %s', async (_, partsOf, refusal, pointer) => {
    const { workflowDefinitionId, key } = await newDraft(service, acme);
    const before = await definition(workflowDefinitionId);
    const answer = await outcome(revise(workflowDefinitionId, partsOf(key)));
    expect(refused(answer)).toEqual(refusal);
    expect(answer.body).toMatchObject({ errors: [{ pointer }] });
    expect(await definition(workflowDefinitionId)).toEqual(before);
  });

  it.each([
    ['an id of the language of the service', 'invalid_id', `${ENDS}<task id="__proto__"/>${flow('f', 's', 'e')}`],
    ['a timer without a pause', 'invalid_timer', timed('<timeCycle>R/PT0S</timeCycle>')],
    ['a loop that waits nowhere', 'endless_loop', LOOP],
    ['a range of a milliard', 'range_too_large', repeating('=for i in 1..1000000000 return i')],
  ])('with %s cannot be activated', async (_, code, elements) => {
    const { workflowDefinitionId, checksum } = await newDraft(service, acme, { elements });
    const { findings } = await definition(workflowDefinitionId);
    expect(findings).toContainEqual(expect.objectContaining({ severity: 'error', code }));
    const activation = api.POST('/v1/workflows/definitions/{workflowDefinitionId}/activate', {
      params: { path: { workflowDefinitionId } },
      headers: officer,
      body: { checksum },
    });
    expect(refused(await outcome(activation))).toEqual([409, 'workflow_unsound']);
  });

  it('is not changed after another change that the caller has not seen', async () => {
    const { workflowDefinitionId, key } = await newDraft(service, acme);
    await success(revise(workflowDefinitionId, { name: 'Accounts of persons' }));
    const late = revise(workflowDefinitionId, { file: processFile(key, REVIEWED_TWICE) });
    expect(refused(await outcome(late))).toEqual([412, 'version_conflict']);
  });

  it('does not change while its activation is pending, not even in the database', async () => {
    const { workflowDefinitionId, key } = await newActivation(service, acme);
    const { version } = await definition(workflowDefinitionId);
    const change = revise(workflowDefinitionId, { file: processFile(key, REVIEWED_TWICE) }, version);
    expect(refused(await outcome(change))).toEqual(NOT_ANY_MORE);
    await expect(
      service.database.sql('UPDATE workflow_model SET file = $1 WHERE definition_id = $2', [
        Buffer.from('x'),
        workflowDefinitionId,
      ]),
    ).rejects.toThrow('only while it is a draft');
  });

  it('changes again once the second person has returned it', async () => {
    const activation = await newActivation(service, acme);
    const { version, checksum } = (await success(review(activation, 'return'))).body;
    const file = processFile(activation.key, REVIEWED_TWICE);
    const { body } = await success(revise(activation.workflowDefinitionId, { file }, version));
    expect(body.status).toBe('draft');
    expect(body.checksum).not.toBe(checksum);
  });
});
