/** Tests of what processes send, and of instances that a message, a signal, an event or a time begins. */
import { describe, expect, it } from 'vitest';
import { newReviewedApplication } from '../operations/application-records.ts';
import { unique } from '../operations/call.ts';
import { confirmed, newActiveProcess, newDraft, newProcessKey } from '../operations/workflow-records.ts';
import { outcome, refused, success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance } = workflowCalls(service, officer);

const THEN_TASK = `<userTask id="a"/><endEvent id="e"/>${flow('f1', 's', 'a')}${flow('f2', 'a', 'e')}`;
const startedBy = (definition: string): string => `<startEvent id="s">${definition}</startEvent>${THEN_TASK}`;
const MESSAGE = '<messageEventDefinition messageRef="m"/>';
const SIGNAL = '<signalEventDefinition signalRef="m"/>';
const rootOf = (kind: 'message' | 'signal', name: string): string => `<${kind} id="m" name="${name}"/>`;
/** A process that sends something at its end, in a form that the service delivers itself. */
const sends = (definition: string): string =>
  `<startEvent id="s"/><endEvent id="e">${definition}</endEvent>${flow('f1', 's', 'e')}`;
const waitsFor = (definition: string): string =>
  `${ENDS}<intermediateCatchEvent id="c">${definition}</intermediateCatchEvent><userTask id="a"/>
    ${flow('f1', 's', 'c')}${flow('f2', 'c', 'a')}${flow('f3', 'a', 'e')}`;

/** Runs the tasks of the service until none is left that another one has queued. */
const runAll = async (): Promise<void> => {
  for (let round = 0; round < 12; round++) await service.running.runTasks();
};
const instancesOf = async (definitionKey: string) =>
  (
    await success(
      api.GET('/v1/workflows/instances', { params: { query: { definitionKey, limit: 100 } }, headers: officer }),
    )
  ).body.items;
const elementsOf = async (id: string): Promise<string[]> =>
  (await instance(id)).activeElements.map(({ elementId }) => elementId);
const deliver = (body: { name: string; businessKey?: string; variables?: Record<string, string> }) =>
  api.POST('/v1/workflows/messages', { headers: officer, body });

describe('A message that a process sends', () => {
  it('continues the one instance that waits for it', async () => {
    const name = `ready_${unique()}`;
    const waiting = await newActiveProcess(service, acme, waitsFor(MESSAGE), rootOf('message', name));
    const { body } = await success(start(waiting), 201);
    const sender = await newActiveProcess(service, acme, sends(MESSAGE), rootOf('message', name));
    await success(start(sender), 201);
    await runAll();
    expect(await elementsOf(body.id)).toEqual(['a']);
  });

  it('continues nobody if two instances wait for it', async () => {
    const name = `ready_${unique()}`;
    const waiting = await newActiveProcess(service, acme, waitsFor(MESSAGE), rootOf('message', name));
    const ids = [(await success(start(waiting), 201)).body.id, (await success(start(waiting), 201)).body.id];
    const sender = await newActiveProcess(service, acme, sends(MESSAGE), rootOf('message', name));
    await success(start(sender), 201);
    await runAll();
    expect(await Promise.all(ids.map(elementsOf))).toEqual([['c'], ['c']]);
  });

  it('begins the process that it starts, and one that starts itself ends after ten', async () => {
    const name = `again_${unique()}`;
    const elements = `<startEvent id="s">${MESSAGE}</startEvent><endEvent id="e">${MESSAGE}</endEvent>
      ${flow('f1', 's', 'e')}`;
    const key = await newActiveProcess(service, acme, elements, rootOf('message', name));
    await success(deliver({ name }));
    for (let round = 0; round < 3; round++) await runAll();
    const begun = await instancesOf(key);
    expect(begun).toHaveLength(11);
    expect(begun.every(({ status }) => status === 'completed')).toBe(true);
  });
});

describe('A message from outside', () => {
  it('begins the process that it starts, with its variables', async () => {
    const name = `ordered_${unique()}`;
    const key = await newActiveProcess(service, acme, startedBy(MESSAGE), rootOf('message', name));
    const { body } = await success(deliver({ name, variables: { channel: 'web' } }));
    expect(body).toMatchObject({ definitionKey: key, startedBy: { type: 'system', id: `workflow:${key}@1` } });
    expect(await instance(body.id)).toMatchObject({
      variables: { channel: 'web' },
      activeElements: [{ elementId: 'a' }],
    });
  });

  it('begins no second instance of a business key', async () => {
    const [name, businessKey] = [`ordered_${unique()}`, unique()];
    await newActiveProcess(service, acme, startedBy(MESSAGE), rootOf('message', name));
    await success(deliver({ name, businessKey }));
    expect(refused(await outcome(deliver({ name, businessKey })))).toEqual([409, 'business_key_taken']);
  });

  it('begins nothing if two processes could be meant, or if the version is out of use', async () => {
    const name = `ordered_${unique()}`;
    const draft = await newDraft(service, acme, { elements: startedBy(MESSAGE), roots: rootOf('message', name) });
    await confirmed(service, acme, draft);
    await newActiveProcess(service, acme, startedBy(MESSAGE), rootOf('message', name));
    expect(refused(await outcome(deliver({ name })))).toEqual([409, 'workflow_message_unmatched']);
    const { workflowDefinitionId } = draft;
    await success(
      api.POST('/v1/workflows/definitions/{workflowDefinitionId}/retire', {
        params: { path: { workflowDefinitionId } },
        headers: officer,
      }),
    );
    await success(deliver({ name }));
    expect(await instancesOf(draft.key)).toEqual([]);
  });

  it('begins the active version alone', async () => {
    const [name, key] = [`ordered_${unique()}`, newProcessKey()];
    for (const roots of [rootOf('message', name), rootOf('message', name)])
      await confirmed(service, acme, await newDraft(service, acme, { elements: startedBy(MESSAGE), roots, key }));
    expect((await success(deliver({ name }))).body.definitionNumber).toBe(2);
  });

  it('is the only way to begin a process that has no other start', async () => {
    const key = await newActiveProcess(service, acme, startedBy(MESSAGE), rootOf('message', `m_${unique()}`));
    expect(refused(await outcome(start(key)))).toEqual([409, 'workflow_not_active']);
  });
});

describe('A signal', () => {
  it('continues everybody of the tenant who waits for it, and begins what it starts', async () => {
    const name = `closing_${unique()}`;
    const root = rootOf('signal', name);
    const waiting = await newActiveProcess(service, acme, waitsFor(SIGNAL), root);
    const ids = [(await success(start(waiting), 201)).body.id, (await success(start(waiting), 201)).body.id];
    const begun = await newActiveProcess(service, acme, startedBy(SIGNAL), root);
    const theirs = await newActiveProcess(service, service.other, startedBy(SIGNAL), root);
    const sender = await newActiveProcess(service, acme, sends(SIGNAL), root);
    await success(start(sender), 201);
    await runAll();
    expect(await Promise.all(ids.map(elementsOf))).toEqual([['a'], ['a']]);
    expect(await instancesOf(begun)).toHaveLength(1);
    const { body } = await success(
      api.GET('/v1/workflows/instances', {
        params: { query: { definitionKey: theirs } },
        headers: await service.other.user('compliance_officer'),
      }),
    );
    expect(body.items).toEqual([]);
  });
});

describe('What happens to an application', () => {
  it('begins a process that starts by it', async () => {
    const tenant = await service.tenant();
    const key = await newActiveProcess(service, tenant, startedBy(MESSAGE), rootOf('message', 'subject.submitted'));
    const { applicationId } = await newReviewedApplication(service, tenant);
    await runAll();
    const { body } = await success(
      api.GET('/v1/workflows/instances', {
        params: { query: { applicationId } },
        headers: await tenant.user('compliance_officer'),
      }),
    );
    expect(body.items).toMatchObject([{ status: 'active', definitionKey: key, applicationId }]);
  });
});

describe('A time', () => {
  const timed = (time: string): string => startedBy(`<timerEventDefinition>${time}</timerEventDefinition>`);

  it('begins a process as often as it says, and what was missed is not made up for', async () => {
    const key = await newActiveProcess(service, acme, timed('<timeCycle>R/PT10S</timeCycle>'));
    await service.running.runJob('workflows.starts');
    expect(await instancesOf(key)).toEqual([]);
    service.advance(10_000);
    await service.running.runJob('workflows.starts');
    expect(await instancesOf(key)).toHaveLength(1);
    service.advance(40_000);
    await service.running.runJob('workflows.starts');
    expect(await instancesOf(key)).toHaveLength(2);
  });

  it('that is computed is a finding', async () => {
    const { workflowDefinitionId } = await newDraft(service, acme, {
      elements: timed('<timeDuration>=channel</timeDuration>'),
    });
    const { body } = await success(
      api.GET('/v1/workflows/definitions/{workflowDefinitionId}', {
        params: { path: { workflowDefinitionId } },
        headers: officer,
      }),
    );
    expect(body.findings).toMatchObject([{ code: 'invalid_timer', elementId: 's' }]);
  });
});
