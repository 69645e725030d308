/** Tests of processes with the demo persons of the sandbox: who is approved without a person, and what is verified. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newScreening } from '../operations/screening-records.ts';
import { confirmed, newActiveProcess, newProcessKey } from '../operations/workflow-records.ts';
import { multipart, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { startDecisionWorld } from './decisions-world.ts';

const world = await shared(startDecisionWorld());
const FILE = join(import.meta.dirname, '../../docs/examples/workflows/individual.bpmn');

/** A tenant whose sandbox is on, with a key for it and an officer. */
async function sandboxTenant() {
  const tenant = await world.tenant();
  await world.setPolicy(tenant, { autoApprove: true });
  await world.request('POST', '/v1/sandbox/enable', { as: await tenant.key(['admin']) });
  const as = await tenant.key(['read', 'write', 'screening'], { environment: 'test', personalData: 'full' });
  const { body: sandbox } = await success(world.api.GET('/v1/sandbox', { headers: as }));
  return { tenant, as, people: sandbox.personas.filter(({ kind }) => kind === 'person') };
}

it('The onboarding of each persona ends by itself if, and only if, the persona is approved automatically', async () => {
  const { tenant, as, people } = await sandboxTenant();
  const officer = await tenant.user('compliance_officer', { purpose: 'draws' });
  // The lists are loaded by the first screening, so that no work of the service waits for them.
  await newScreening(world, tenant, await tenant.key(['screening'], { environment: 'test' }));
  const key = newProcessKey();
  const file = readFileSync(FILE, 'utf8').replace('id="std.individual"', `id="${key}"`);
  const { body: made } = await success(
    world.api.POST('/v1/workflows/definitions', {
      headers: officer,
      body: { file: new Blob([file]) },
      bodySerializer: multipart,
    }),
    201,
  );
  await confirmed(world, tenant, { workflowDefinitionId: made.id, checksum: made.checksum, key });
  const instances = await Promise.all(
    people.map(async ({ name, dateOfBirth, taxId }) => {
      const { body: application } = await world.create(
        {
          purpose: 'account_opening',
          level: 'basic',
          submit: true,
          applicant: { fullName: name, dateOfBirth, taxId: { type: 'cpf', value: taxId } },
        },
        as,
      );
      const { body } = await success(
        world.api.POST('/v1/workflows/instances', {
          headers: as,
          body: { definitionKey: key, applicationId: application.id },
        }),
        201,
      );
      return body.id;
    }),
  );
  for (let round = 0; round < 6; round++) await world.running.runTasks();
  const ended = await Promise.all(
    instances.map(async (workflowInstanceId) => {
      const { body } = await success(
        world.api.GET('/v1/workflows/instances/{workflowInstanceId}', {
          params: { path: { workflowInstanceId } },
          headers: as,
        }),
      );
      return body.status === 'completed';
    }),
  );
  expect(ended).toEqual(people.map(({ outcomes }) => outcomes.includes('approved_automatically')));
});

it('A verification that a process starts is told to it with its result', async () => {
  const { tenant, as, people } = await sandboxTenant();
  const elements = `<startEvent id="s"/><serviceTask id="verify"><extensionElements>
    <zeebe:taskDefinition type="verification.run"/></extensionElements></serviceTask>
    <receiveTask id="hears" messageRef="final"/><endEvent id="e"/>
    <sequenceFlow id="f1" sourceRef="s" targetRef="verify"/><sequenceFlow id="f2" sourceRef="verify" targetRef="hears"/>
    <sequenceFlow id="f3" sourceRef="hears" targetRef="e"/>`;
  const key = await newActiveProcess(world, tenant, elements, '<message id="final" name="verification.final"/>');
  const { name, dateOfBirth, taxId } = people[0]!;
  const { body: application } = await world.create(
    {
      purpose: 'account_opening',
      level: 'basic',
      submit: true,
      applicant: { fullName: name, dateOfBirth, taxId: { type: 'cpf', value: taxId } },
    },
    as,
  );
  const { body } = await success(
    world.api.POST('/v1/workflows/instances', {
      headers: as,
      body: { definitionKey: key, applicationId: application.id, variables: { verificationType: 'registry' } },
    }),
    201,
  );
  for (let round = 0; round < 6; round++) await world.running.runTasks();
  const { body: ended } = await success(
    world.api.GET('/v1/workflows/instances/{workflowInstanceId}', {
      params: { path: { workflowInstanceId: body.id } },
      headers: as,
    }),
  );
  expect(ended).toMatchObject({
    status: 'completed',
    variables: { verification: { id: expect.any(String), type: 'registry', status: 'passed' } },
  });
});
