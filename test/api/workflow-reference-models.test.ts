/**
 * Tests of processes that the BPMN Model Interchange Working Group publishes as references, with the conditions and
 * bindings that their drawings lack. The models lie beside the project; without them the tests are skipped.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SHARED, sharedModel } from '../../server/workflow/testing/driver.ts';
import { confirmed } from '../operations/workflow-records.ts';
import { multipart, success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance, complete } = workflowCalls(service, officer);

async function activated(file: string): Promise<void> {
  const { body } = await success(
    api.POST('/v1/workflows/definitions', {
      headers: officer,
      body: { file: new Blob([file]) },
      bodySerializer: multipart,
    }),
    201,
  );
  expect(body.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  await confirmed(service, acme, { workflowDefinitionId: body.id, checksum: body.checksum, key: body.key });
}

/** The results of tasks by their elements. Others have none. */
type Results = Readonly<Record<string, Readonly<Record<string, boolean | string | readonly string[]>>>>;

/**
 * Does what is open, everywhere, until the instance has ended or nothing is open. Returns the elements of all tasks.
 */
async function driven(instanceId: string, types: readonly string[], results: Results = {}): Promise<string[]> {
  const done: string[] = [];
  for (let round = 0; round < 40 && (await instance(instanceId)).status === 'active'; round++) {
    for (let turn = 0; turn < 3; turn++) await service.running.runTasks();
    const query = { status: ['created' as const], limit: 100 };
    const { body } = await success(api.GET('/v1/workflows/tasks', { params: { query }, headers: officer }));
    for (const { id, elementId } of body.items) {
      await success(complete(id, officer, results[elementId] ?? {}));
      done.push(elementId);
    }
    if (types.length > 0) await worked(types);
  }
  return done;
}

async function worked(types: readonly string[]): Promise<void> {
  const worker = 'one';
  const { body } = await success(
    api.POST('/v1/workflows/jobs/activate', { headers: officer, body: { types: [...types], worker } }),
  );
  for (const { id: workflowJobId } of body.items)
    await success(
      api.POST('/v1/workflows/jobs/{workflowJobId}/result', {
        params: { path: { workflowJobId } },
        headers: officer,
        body: { worker, outcome: 'completed', variables: {} },
      }),
    );
}

const tell = (name: string, correlationKey: string) =>
  success(api.POST('/v1/workflows/messages', { headers: officer, body: { name, correlationKey } }));

describe.skipIf(!existsSync(SHARED))('The opening of an account (C.5.0)', () => {
  const [BANK, CLIENTS] = ['_3d1ef204-2d4c-4643-8fc5-c319cc032ec0', '_774bc005-0917-43d5-ab70-0f9fe123fbd1'];
  const [CREATED, REJECTED, ENDED] = [
    '_8055ae64-cafd-4fd0-be36-2216e3b02e37',
    '_1cf552d4-5152-4595-9218-84f31533bc70',
    '_acfa265a-a449-4e30-baa0-1ba47dbea418',
  ];
  const [IDENTIFY, OWNER, ASSESS, DECIDE] = [
    '_17db66a1-badd-4942-9ebd-02bc5595cdde',
    '_f0422f0d-396b-4ee7-ad83-fdd34a8bab71',
    '_be6ea91a-4f8e-4240-86e8-f85036aee96f',
    '_1fc87527-9cad-4f8e-b9c7-ebe106cbe98d',
  ];
  /** Makes one of its processes executable, and adds to each choice a condition and a default. */
  const executable = (process: string): string => {
    let xml = sharedModel('miwg-reference/C.5.0.bpmn')
      .replace(`process id="${process === BANK ? CLIENTS : BANK}"`, '$& isExecutable="false"')
      .replaceAll('<semantic:signalEventDefinition ', '<semantic:signalEventDefinition signalRef="done" ')
      .replace('<semantic:dataStore ', '<semantic:signal id="done" name="done"/><semantic:dataStore ');
    const flows = xml.matchAll(/<semantic:sequenceFlow id="(\S+)" name="([^"]+)" sourceRef="(\S+)" [^>]*\/>/g);
    for (const [text, id, name, gateway] of [...flows])
      xml =
        name === 'No' || name === 'Individual Person'
          ? xml.replace(`<semantic:exclusiveGateway id="${gateway}"`, `$& default="${id}"`)
          : xml.replace(
              text,
              `${text.replace(/\/>$/, '>')}<semantic:conditionExpression xsi:type="semantic:tFormalExpression">=answer
                = "${name}"</semantic:conditionExpression></semantic:sequenceFlow>`,
            );
    return xml;
  };

  it.each([
    ['of a person ends with a new customer', {}, CREATED],
    ['of a company without a certain owner ends at once', { [IDENTIFY]: 'Legal Entity', [OWNER]: 'No' }, ENDED],
    ['that needs an approval ends without it', { [ASSESS]: 'Yes', [DECIDE]: 'No' }, REJECTED],
    [
      'of a company ends with its approval',
      {
        [IDENTIFY]: 'Legal Entity',
        [OWNER]: 'Yes',
        [ASSESS]: 'Yes',
        [DECIDE]: 'Yes',
      },
      CREATED,
    ],
  ])('%s', async (_, answers: Readonly<Record<string, string>>, endEvent) => {
    for (const process of [CLIENTS, BANK]) await activated(executable(process!));
    const { body } = await success(start(BANK!, { variables: { answer: 'none' } }), 201);
    const results = Object.fromEntries(Object.entries(answers).map(([element, answer]) => [element, { answer }]));
    const none = { answer: 'none' };
    const done = await driven(body.id, [], new Proxy(results, { get: (of, name: string) => of[name] ?? none }));
    expect(await instance(body.id)).toMatchObject({ status: 'completed', endEvent });
    expect(done).toEqual(expect.arrayContaining(Object.keys(answers)));
  });
});

describe.skipIf(!existsSync(SHARED))('The onboarding of a customer (C.9.0 to C.9.2)', () => {
  const TYPES = ['calculateScore', 'issuePolicy', 'rejectPolicy', 'reportFraud', 'email', 'io.camunda:sendgrid:1'];
  const RISK = `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="Risk" namespace="n">
    <decision id="risk_check" name="Risk"><decisionTable hitPolicy="FIRST">
    <input><inputExpression><text>level</text></inputExpression></input>
    <output name="riskLevel"/><output name="risk"/>
    <rule><inputEntry><text>-</text></inputEntry><outputEntry><text>[level]</text></outputEntry>
    <outputEntry><text>["score"]</text></outputEntry></rule></decisionTable></decision></definitions>`;

  const IDS = { fraudSuspectedId: 'case-1', documentReferenceId: 'documents-1' };

  /** Starts it with all its parts active, and does the first work. */
  async function begun(level: string): Promise<string> {
    const named = (xml: string): string =>
      xml.replace(/candidateGroups="\w+"/g, 'candidateGroups="compliance_officer"');
    await activated(RISK);
    await activated(sharedModel('miwg-reference/C.9.1.bpmn'));
    await activated(named(sharedModel('miwg-reference/C.9.2.bpmn')));
    await activated(
      sharedModel('miwg-reference/C.9.0.bpmn')
        .replace(
          /<bpmn2:messageEventDefinition id="(\w+)" \/>/g,
          '<bpmn2:messageEventDefinition id="$1" messageRef="Message_0fvpzfg" />',
        )
        .replace('id="ExclusiveGateway_Decision"', '$& default="SequenceFlow_ApplicationDeclined"')
        .replace(/(<bpmn2:calledElement|<zeebe:calledElement)([^>]*) propagateAllChildVariables="false"/, '$1$2'),
    );
    const { body } = await success(
      start('customer_onboarding_en', {
        variables: { level, product: 'account', ...IDS },
      }),
      201,
    );
    return body.id;
  }

  it.each([
    ['without a risk is issued', 'green', 'EndEvent_ApplicationIssued'],
    ['with a severe risk is rejected', 'red', 'EndEvent_ApplicationRejected'],
  ])('%s', async (_, level, endEvent) => {
    const id = await begun(level);
    await driven(id, TYPES);
    expect(await instance(id)).toMatchObject({ status: 'completed', endEvent, activeElements: [] });
  });

  it.each([
    [true, 'EndEvent_ApplicationIssued'],
    [false, 'EndEvent_ApplicationRejected'],
  ])('with a moderate risk is decided by a person: %s', async (approved, endEvent) => {
    const id = await begun('yellow');
    const done = await driven(id, TYPES, { UserTask_DecideOnApplication: { approved } });
    expect(done).toEqual(['UserTask_DecideOnApplication']);
    expect(await instance(id)).toMatchObject({ status: 'completed', endEvent, activeElements: [] });
  });

  it('in which fraud is suspected, and found, is cancelled and reported', async () => {
    const id = await begun('yellow');
    for (let turn = 0; turn < 3; turn++) {
      await worked(TYPES);
      for (let again = 0; again < 3; again++) await service.running.runTasks();
    }
    await tell('Message_FraudSuspected', IDS.fraudSuspectedId);
    const done = await driven(id, TYPES, { UserTask_CheckForFraud: { fraud: true } });
    expect(done).toContain('UserTask_CheckForFraud');
    expect(await instance(id)).toMatchObject({
      status: 'completed',
      endEvent: 'TerminateEvent_ApplicationCanceledFraud',
    });
  });
});
