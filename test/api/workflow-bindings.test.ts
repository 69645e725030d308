/** Tests of what a process asks of applicants, of monitoring and of people, and that nothing in it approves anybody. */
import { describe, expect, it } from 'vitest';
import { BINDINGS } from '../../server/modules/workflows/binding-types.ts';
import { newDecidedApplication, newReviewedApplication } from '../operations/application-records.ts';
import { newScreening } from '../operations/screening-records.ts';
import { newActiveProcess, workOf } from '../operations/workflow-records.ts';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { startDecisionWorld } from './decisions-world.ts';
import { workflowCalls } from './workflow-calls.ts';

const world = await shared(startDecisionWorld());
const { api } = world;
const tenant = await world.tenant();
const officer = await tenant.user('compliance_officer', { purpose: 'draws' });
const { start, instance } = workflowCalls(world, officer);
// The lists are loaded by the first screening, so that no work of the service waits for them.
await newScreening(world, tenant);

/** Runs the tasks of the service until none is left that another one has queued. */
const runAll = async (): Promise<void> => {
  for (let round = 0; round < 4; round++) await world.running.runTasks();
};

/** Lets a process do one piece of work about an application, and returns its instance. */
async function done(type: string, applicationId: string, variables: Record<string, string | number | null> = {}) {
  const { body } = await success(
    start(await newActiveProcess(world, tenant, workOf(type)), { applicationId, variables }),
    201,
  );
  await runAll();
  return instance(body.id);
}

const application = async (applicationId: string) =>
  (
    await success(
      api.GET('/v1/applications/{applicationId}', { params: { path: { applicationId } }, headers: officer }),
    )
  ).body;

describe('A request for information by a process', () => {
  const wanted = { requirements: 'identity_data', messageToApplicant: 'When were you born?' };

  it('is the one of applications, in the name of the process', async () => {
    const { applicationId } = await newReviewedApplication(world, tenant);
    const { definitionKey, variables, status } = await done('information.request', applicationId, wanted);
    expect([status, variables]).toMatchObject(['completed', { information: { dueAt: expect.any(String) } }]);
    const { status: waits, informationRequests } = await application(applicationId);
    expect([waits, informationRequests]).toMatchObject([
      'needs_information',
      [{ status: 'open', createdBy: { type: 'system', id: `workflow:${definitionKey}@1` } }],
    ]);
  });

  it.each([
    ['a second one at the same time', wanted, 'information_request_open'],
    ['one without a message', { requirements: 'identity_data' }, 'invalid_variables'],
    ['one for nothing', { ...wanted, requirements: ', ' }, 'invalid_variables'],
    ['one for what is no requirement', { ...wanted, requirements: 'shoe_size' }, 'unknown_requirement'],
  ])('is refused to be %s', async (_, variables, code) => {
    const { applicationId } = await newReviewedApplication(world, tenant);
    if (code === 'information_request_open') await done('information.request', applicationId, wanted);
    const { activeElements } = await done('information.request', applicationId, variables);
    expect(activeElements).toMatchObject([
      { incident: { code: 'unhandled_error', message: expect.stringContaining(code) } },
    ]);
  });
});

describe('A change of the monitoring by a process', () => {
  it('sets the interval', async () => {
    const applicationId = await newDecidedApplication(world, tenant);
    expect(await done('monitoring.change', applicationId, { monitoringIntervalDays: 90 })).toMatchObject({
      status: 'completed',
    });
    const { body } = await success(
      api.GET('/v1/monitoring/subscriptions', { params: { query: { applicationId } }, headers: officer }),
    );
    expect(body.items).toMatchObject([{ status: 'active', schedule: { kind: 'interval', intervalDays: 90 } }]);
  });

  it.each([
    ['an applicant who is not monitored', true, 90, 'monitoring_not_active'],
    ['an interval that is none', false, 0.5, 'invalid_variables'],
  ])('is refused for %s', async (_, isReviewed, monitoringIntervalDays, code) => {
    const applicationId = isReviewed
      ? (await newReviewedApplication(world, tenant)).applicationId
      : await newDecidedApplication(world, tenant);
    const { activeElements } = await done('monitoring.change', applicationId, { monitoringIntervalDays });
    expect(activeElements).toMatchObject([
      { incident: { code: 'unhandled_error', message: expect.stringContaining(code) } },
    ]);
  });
});

it('A notice of a process is a mail to each compliance officer, which names the process alone', async () => {
  const { applicationId } = await newReviewedApplication(world, tenant);
  const count = async () => {
    const [row] = await world.database.sql(
      `SELECT count(*)::integer AS count FROM mail_message WHERE template = 'processAsks' AND tenant_id = $1`,
      [tenant.id],
    );
    return Number((row as { count: number }).count);
  };
  const before = await count();
  expect((await done('mail.notify', applicationId)).status).toBe('completed');
  expect(await count()).toBeGreaterThan(before);
});

describe('No work of the service approves what a person must decide', () => {
  const everyWork = BINDINGS.filter((type) => type !== 'decision.table');
  const starters = [
    ['a compliance officer', () => tenant.user('compliance_officer')],
    ['an analyst', () => tenant.user('analyst')],
    ['a key', () => tenant.key(['read', 'write', 'screening', 'kyb'])],
  ] as const;

  it.each(starters)('started by %s, whatever the process does', async (_, credential) => {
    await world.setPolicy(tenant, { autoApprove: true });
    const as = await credential();
    const found: unknown[] = [];
    for (const type of everyWork) {
      const { applicationId } = await newReviewedApplication(world, tenant, { isPep: true });
      const variables = {
        requirements: 'identity_data',
        messageToApplicant: 'When were you born?',
        verificationType: 'registry',
      };
      const key = await newActiveProcess(world, tenant, workOf(type));
      await success(start(key, { applicationId, variables }, as), 201);
      await runAll();
      const { status, decisions } = await application(applicationId);
      found.push([type, status === 'in_review' || status === 'needs_information', decisions]);
    }
    expect(found).toEqual(everyWork.map((type) => [type, true, []]));
  });
});
