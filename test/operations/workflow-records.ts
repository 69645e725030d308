/** Process definitions, instances and tasks, made before a call about them. */
import { multipart, success } from '../support/api.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { unique } from './call.ts';
import { done } from './screening-records.ts';

/**
 * Returns a file of a process with one task of a person, and a flow that needs an expression after it if one is given.
 */
export function processFile(key: string, elements = REVIEW, roots = ''): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:kyc="https://example.test/kyc" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">
  <process id="${key}" name="Onboarding" isExecutable="true">${elements}</process>${roots}
</definitions>`);
}

const REVIEW = `<startEvent id="s"/><userTask id="review" name="Review"/><endEvent id="e"/>
  <sequenceFlow id="f1" sourceRef="s" targetRef="review"/><sequenceFlow id="f2" sourceRef="review" targetRef="e"/>`;

/** Elements of a later version, in which a second person reviews. */
export const REVIEWED_TWICE = `<startEvent id="s"/><endEvent id="e"/>
  <userTask id="first_review"/><userTask id="review"/>
  <sequenceFlow id="f0" sourceRef="s" targetRef="first_review"/>
  <sequenceFlow id="f1" sourceRef="first_review" targetRef="review"/>
  <sequenceFlow id="f2" sourceRef="review" targetRef="e"/>`;

/** Variable of every instance. */
const CHANNEL = 'branch';

export const newProcessKey = (): string => `p_${unique()}`;

interface Draft {
  readonly workflowDefinitionId: string;
  readonly checksum: string;
  readonly key: string;
}

/** Uploads a draft of a process. */
export async function newDraft(
  service: TestService,
  tenant: Tenant,
  {
    elements,
    roots,
    key = newProcessKey(),
  }: {
    readonly elements?: string | undefined;
    readonly roots?: string | undefined;
    readonly key?: string;
  } = {},
): Promise<Draft> {
  const { body } = await success(
    service.api.POST('/v1/workflows/definitions', {
      headers: await tenant.user('compliance_officer', { purpose: 'draws' }),
      body: { file: new Blob([new Uint8Array(processFile(key, elements, roots))]) },
      bodySerializer: multipart,
    }),
    201,
  );
  return { workflowDefinitionId: body.id, checksum: body.checksum, key };
}

/** Requests the activation of a new draft. */
export async function newActivation(
  service: TestService,
  tenant: Tenant,
  draft?: Draft,
): Promise<Draft & { readonly activationId: string; readonly evidenceDigest: string }> {
  const made = draft ?? (await newDraft(service, tenant));
  const { workflowDefinitionId, checksum } = made;
  const { body } = await success(
    service.api.POST('/v1/workflows/definitions/{workflowDefinitionId}/activate', {
      params: { path: { workflowDefinitionId } },
      headers: await tenant.user('compliance_officer', { purpose: 'draws' }),
      body: { checksum },
    }),
    202,
  );
  const { id: activationId, evidenceDigest } = body.activation!;
  return { ...made, activationId, evidenceDigest };
}

/** Creates an active definition, and returns its key. */
export async function newActiveProcess(
  service: TestService,
  tenant: Tenant,
  elements?: string,
  roots?: string,
): Promise<string> {
  const draft = await newDraft(service, tenant, { elements, roots });
  await confirmed(service, tenant, draft);
  return draft.key;
}

/** Requests the activation of a draft, and lets a second person confirm it. */
export async function confirmed(service: TestService, tenant: Tenant, draft: Draft): Promise<void> {
  const { activationId, evidenceDigest, workflowDefinitionId } = await newActivation(service, tenant, draft);
  await success(
    service.api.POST('/v1/workflows/definitions/{workflowDefinitionId}/activations/{activationId}/review', {
      params: { path: { workflowDefinitionId, activationId } },
      headers: await tenant.user('compliance_officer', { purpose: 'confirms' }),
      body: { verdict: 'confirm', note: 'The process is as agreed.', evidenceDigest },
    }),
  );
}

/** Starts an instance of an active process. */
async function started(service: TestService, tenant: Tenant, definitionKey: string) {
  const { body } = await success(
    service.api.POST('/v1/workflows/instances', {
      headers: await tenant.user('compliance_officer', { purpose: 'draws' }),
      body: { definitionKey, businessKey: unique(), variables: { channel: CHANNEL } },
    }),
    201,
  );
  return body;
}

/** Starts an instance of a new process. */
export async function newInstance(service: TestService, tenant: Tenant, elements?: string): Promise<string> {
  return (await started(service, tenant, await newActiveProcess(service, tenant, elements))).id;
}

/** Creates an open task of a new instance. */
export async function newWorkflowTask(service: TestService, tenant: Tenant): Promise<string> {
  const instanceId = await newInstance(service, tenant);
  const { body } = await success(
    service.api.GET('/v1/workflows/tasks', {
      params: { query: { instanceId } },
      headers: await tenant.user('compliance_officer', { purpose: 'draws' }),
    }),
  );
  return body.items[0]!.id;
}

/** Starts an instance that waits for a message, and returns by what the message finds it. */
export async function newWaitingInstance(
  service: TestService,
  tenant: Tenant,
): Promise<{ readonly name: string; readonly correlationKey: string; readonly businessKey: string }> {
  const name = `signed_${unique()}`;
  const elements = `<startEvent id="s"/><receiveTask id="r" messageRef="m"/><userTask id="a"/><endEvent id="e"/>
    <sequenceFlow id="f1" sourceRef="s" targetRef="r"/><sequenceFlow id="f2" sourceRef="r" targetRef="a"/>
    <sequenceFlow id="f3" sourceRef="a" targetRef="e"/>`;
  const message = `<message id="m" name="${name}"><extensionElements>
    <zeebe:subscription correlationKey="=channel"/></extensionElements></message>`;
  const { businessKey } = await started(service, tenant, await newActiveProcess(service, tenant, elements, message));
  await service.running.runTasks();
  return { name, correlationKey: CHANNEL, businessKey: businessKey! };
}

/**
 * Lets a process send the message by which it starts. Until a task delivers it, the message is on its way; the start
 * event waits for more.
 */
export async function newMessageOnItsWay(service: TestService, tenant: Tenant): Promise<void> {
  const definition = '<messageEventDefinition messageRef="m"/>';
  const elements = `<startEvent id="s"/><startEvent id="t">${definition}</startEvent><exclusiveGateway id="g"/>
    <endEvent id="e">${definition}</endEvent><sequenceFlow id="f1" sourceRef="s" targetRef="g"/>
    <sequenceFlow id="f2" sourceRef="t" targetRef="g"/><sequenceFlow id="f3" sourceRef="g" targetRef="e"/>`;
  const message = `<message id="m" name="again_${unique()}"/>`;
  await started(service, tenant, await newActiveProcess(service, tenant, elements, message));
}

/** Suspends a new instance. */
export async function newSuspendedInstance(service: TestService, tenant: Tenant, elements?: string): Promise<string> {
  const workflowInstanceId = await newInstance(service, tenant, elements);
  await success(
    service.api.POST('/v1/workflows/instances/{workflowInstanceId}/suspend', {
      params: { path: { workflowInstanceId } },
      headers: await tenant.user('compliance_officer', { purpose: 'draws' }),
      body: { note: 'We wait for the bank.' },
    }),
  );
  return workflowInstanceId;
}

/** A gateway that stops until `approved` is true or false, and a task after it. */
const STOPPED = `<startEvent id="s"/><exclusiveGateway id="g" default="f4"/><userTask id="a"/><endEvent id="e"/>
  <sequenceFlow id="f1" sourceRef="s" targetRef="g"/><sequenceFlow id="f2" sourceRef="g" targetRef="a">
  <conditionExpression xsi:type="tFormalExpression">=approved</conditionExpression></sequenceFlow>
  <sequenceFlow id="f3" sourceRef="a" targetRef="e"/><sequenceFlow id="f4" sourceRef="g" targetRef="e"/>`;

/** Starts an instance that stops with an incident, and returns the id of the incident. */
export async function newIncident(service: TestService, tenant: Tenant, elements = STOPPED): Promise<string> {
  const instanceId = await newInstance(service, tenant, elements);
  const headers = await tenant.user('compliance_officer', { purpose: 'draws' });
  const params = { query: { instanceId } };
  return done(service, 'the step that stops', async () => {
    const { body } = await success(service.api.GET('/v1/workflows/incidents', { params, headers }));
    return body.items[0]?.id ?? null;
  });
}

/** Starts an instance whose task has a timer. */
export function newTimedInstance(service: TestService, tenant: Tenant): Promise<string> {
  return newInstance(
    service,
    tenant,
    `${REVIEW}<boundaryEvent id="t" attachedToRef="review"><timerEventDefinition><timeDuration>P30D</timeDuration>
      </timerEventDefinition></boundaryEvent><sequenceFlow id="f3" sourceRef="t" targetRef="e"/>`,
  );
}

/** Starts an instance whose first step evaluates an expression, and suspends it before a task computes that. */
export function newUncomputedInstance(service: TestService, tenant: Tenant): Promise<string> {
  return newSuspendedInstance(
    service,
    tenant,
    `<startEvent id="s"/><exclusiveGateway id="g" default="f2"/><userTask id="a"/><endEvent id="e"/>
      <sequenceFlow id="f1" sourceRef="s" targetRef="g"/><sequenceFlow id="f2" sourceRef="g" targetRef="e"/>
      <sequenceFlow id="f3" sourceRef="g" targetRef="a"><conditionExpression xsi:type="tFormalExpression"
      >=channel = "branch"</conditionExpression></sequenceFlow><sequenceFlow id="f4" sourceRef="a" targetRef="e"/>`,
  );
}

/** Returns the elements of a process whose task needs work of a type. */
export const workOf = (type: string): string => `<startEvent id="s"/><serviceTask id="score"><extensionElements>
  <zeebe:taskDefinition type="${type}"/></extensionElements></serviceTask><endEvent id="e"/>
  <sequenceFlow id="f1" sourceRef="s" targetRef="score"/><sequenceFlow id="f2" sourceRef="score" targetRef="e"/>`;

/** The worker that takes the work of tests. */
export const WORKER = 'scorer-1';

/** Starts an instance that needs work, and returns the type of the work. */
export async function newWork(service: TestService, tenant: Tenant): Promise<string> {
  const type = `external.${unique()}`;
  await newInstance(service, tenant, workOf(type));
  return type;
}

/** Lets a worker take new work, and returns the id of the work. */
export async function newLockedJob(service: TestService, tenant: Tenant): Promise<string> {
  const type = await newWork(service, tenant);
  const { body } = await success(
    service.api.POST('/v1/workflows/jobs/activate', {
      headers: await tenant.user('compliance_officer', { purpose: 'draws' }),
      body: { types: [type], worker: WORKER },
    }),
  );
  return body.items[0]!.id;
}

/** Starts an instance, and activates a second version of its process. */
export async function newOutdatedInstance(
  service: TestService,
  tenant: Tenant,
  elements?: string,
  before?: string,
): Promise<{ readonly workflowInstanceId: string; readonly definitionId: string; readonly definitionKey: string }> {
  const definitionKey = await newActiveProcess(service, tenant, before);
  const { id: workflowInstanceId } = await started(service, tenant, definitionKey);
  const draft = await newDraft(service, tenant, { key: definitionKey, elements });
  await confirmed(service, tenant, draft);
  return { workflowInstanceId, definitionId: draft.workflowDefinitionId, definitionKey };
}

/** Changes one instance by a batch. */
export async function newBatch(service: TestService, tenant: Tenant): Promise<string> {
  const { definitionKey } = await newOutdatedInstance(service, tenant);
  await service.running.runTasks();
  const { body } = await success(
    service.api.POST('/v1/workflows/batches', {
      headers: await tenant.user('compliance_officer', { purpose: 'draws' }),
      body: { action: 'cancel', filter: { definitionKey }, note: 'They were started by mistake.' },
    }),
    202,
  );
  await service.running.runTasks();
  return body.id;
}
