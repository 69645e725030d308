/** Tests of work that the service does itself for a process, of decision tables, and of what processes hear. */
import { describe, expect, it } from 'vitest';
import { newApplication, newDocument, newReviewedApplication } from '../operations/application-records.ts';
import { confirmed, newActiveProcess, newProcessKey, processFile, workOf } from '../operations/workflow-records.ts';
import { multipart, success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance } = workflowCalls(service, officer);

const upload = async (file: Buffer) =>
  (
    await success(
      api.POST('/v1/workflows/definitions', {
        headers: officer,
        body: { file: new Blob([new Uint8Array(file)]) },
        bodySerializer: multipart,
      }),
      201,
    )
  ).body;

const tableFile = (key: string, policy = 'FIRST'): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="Routes" namespace="n">
  <decision id="${key}" name="Route"><decisionTable hitPolicy="${policy}">
    <input><inputExpression><text>amount</text></inputExpression></input>
    <output name="route"/>
    <rule><inputEntry><text>&gt; 1000</text></inputEntry><outputEntry><text>"review"</text></outputEntry></rule>
    <rule><inputEntry><text>[0..1000]</text></inputEntry><outputEntry><text>"automatic"</text></outputEntry></rule>
  </decisionTable></decision></definitions>`);

const asking = (key: string): string => `${ENDS}<businessRuleTask id="route"><extensionElements>
  <zeebe:calledDecision decisionId="${key}" resultVariable="decision"/></extensionElements></businessRuleTask>
  ${flow('f1', 's', 'route')}${flow('f2', 'route', 'e')}`;

/** Runs the tasks of the service until none is left that another one has queued. */
const runAll = async (): Promise<void> => {
  for (let round = 0; round < 3; round++) await service.running.runTasks();
};

async function activeTable(): Promise<string> {
  const key = newProcessKey();
  const { id: workflowDefinitionId, checksum } = await upload(tableFile(key));
  await confirmed(service, acme, { workflowDefinitionId, checksum, key });
  return key;
}

describe('A decision table', () => {
  it('is a definition of its own kind, listed and drawn like a process', async () => {
    const made = await upload(tableFile(newProcessKey()));
    expect(made).toMatchObject({ kind: 'decision_table', name: 'Route', findings: [] });
    const { body } = await success(
      api.GET('/v1/workflows/definitions', {
        params: { query: { kind: ['decision_table'], key: made.key } },
        headers: officer,
      }),
    );
    expect(body.items.map(({ id }) => id)).toEqual([made.id]);
    const drawing = await service.request('GET', `/v1/workflows/definitions/${made.id}/diagram`, { as: officer });
    expect([drawing.status, drawing.text]).toEqual([200, expect.stringContaining('&quot;review&quot;')]);
  });

  it('with a policy that the service does not know cannot be activated', async () => {
    expect((await upload(tableFile(newProcessKey(), 'RULE ORDER'))).findings).toMatchObject([
      { severity: 'error', code: 'unsupported_element' },
    ]);
  });

  it('decides for a process', async () => {
    const key = await newActiveProcess(service, acme, asking(await activeTable()));
    const { body } = await success(start(key, { variables: { amount: 5000 } }), 201);
    await runAll();
    expect(await instance(body.id)).toMatchObject({
      status: 'completed',
      variables: { decision: { route: 'review' } },
    });
  });

  it.each([
    ['of which no rule matches', -1, 'decision_failed'],
    ['that is not active', 5, 'decision_not_active'],
  ])('%s is an error of the process', async (_, amount, code) => {
    const table = code === 'decision_failed' ? await activeTable() : newProcessKey();
    const { body } = await success(
      start(await newActiveProcess(service, acme, asking(table)), { variables: { amount } }),
      201,
    );
    await runAll();
    expect((await instance(body.id)).activeElements).toMatchObject([
      { elementId: 'route', incident: { code: 'unhandled_error', message: expect.stringContaining(code) } },
    ]);
  });
});

describe('Work of the service', () => {
  it('opens a case about the application', async () => {
    const { applicationId } = await newReviewedApplication(service, acme);
    const key = await newActiveProcess(service, acme, workOf('case.open'));
    const { body } = await success(start(key, { applicationId }), 201);
    await runAll();
    const { variables } = await instance(body.id);
    const { id } = (variables as { case: { id: string } }).case;
    const opened = await success(api.GET('/v1/cases/{caseId}', { params: { path: { caseId: id } }, headers: officer }));
    expect(opened.body).toMatchObject({ applicationId, type: 'ad_hoc', createdBy: { id: `workflow:${key}@1` } });
  });

  it('assesses the risk of a submitted application', async () => {
    const { applicationId } = await newReviewedApplication(service, acme);
    const { body } = await success(
      start(await newActiveProcess(service, acme, workOf('risk.assess')), { applicationId }),
      201,
    );
    await runAll();
    expect((await instance(body.id)).variables).toMatchObject({ risk: { level: expect.any(String) } });
  });

  it.each(['case.open', 'risk.assess', 'screening.run', 'decision.propose'])(
    '%s without an application is an error of the process',
    async (type) => {
      const { body } = await success(start(await newActiveProcess(service, acme, workOf(type))), 201);
      await runAll();
      expect((await instance(body.id)).activeElements).toMatchObject([
        { incident: { code: 'unhandled_error', message: expect.stringContaining('no_application') } },
      ]);
    },
  );

  it('that is misspelt keeps a draft from being activated', async () => {
    const { findings } = await upload(processFile(newProcessKey(), workOf('risk.asess')));
    expect(findings).toMatchObject([{ code: 'unknown_job_type', elementId: 'score' }]);
  });

  it('of a suspended instance is done once it is resumed', async () => {
    const { applicationId } = await newReviewedApplication(service, acme);
    const { body } = await success(
      start(await newActiveProcess(service, acme, workOf('case.open')), { applicationId }),
      201,
    );
    const change = (what: string, more: object) =>
      service.request('POST', `/v1/workflows/instances/${body.id}/${what}`, { as: officer, ...more });
    expect((await change('suspend', { body: { note: 'We wait for the bank.' } })).status).toBe(200);
    await runAll();
    expect((await instance(body.id)).status).toBe('suspended');
    expect((await change('resume', {})).status).toBe(200);
    await runAll();
    expect((await instance(body.id)).status).toBe('completed');
  });
});

it('A process about an application hears what happens to it', async () => {
  const applicationId = await newApplication(service, acme);
  const elements = `${ENDS}<receiveTask id="r" messageRef="m"/>${flow('f1', 's', 'r')}${flow('f2', 'r', 'e')}`;
  const key = await newActiveProcess(service, acme, elements, '<message id="m" name="document.added"/>');
  const { body } = await success(start(key, { applicationId }), 201);
  expect((await instance(body.id)).status).toBe('active');
  await newDocument(service, acme, applicationId);
  await runAll();
  expect((await instance(body.id)).status).toBe('completed');
});
