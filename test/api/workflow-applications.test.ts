/** API tests of the process by which applications run, which the settings name. */
import { describe, expect, it } from 'vitest';
import { newApplication, newInformationRequest, newReviewedApplication } from '../operations/application-records.ts';
import { maria } from '../operations/people.ts';
import { newActiveProcess, newDraft } from '../operations/workflow-records.ts';
import { outcome, refused, success } from '../support/api.ts';
import { type Tenant, useService } from '../support/service.ts';
import { ENDS, flow } from './workflow-calls.ts';

const service = await useService();
const { api } = service;

/** Sets the process by which the applications of a tenant run. */
const set = async (tenant: Tenant, application: string | null) => {
  const headers = await tenant.user('compliance_officer', { purpose: 'sets' });
  const { response } = await api.GET('/v1/settings', { headers });
  return api.PATCH('/v1/settings', {
    headers: { ...headers, 'If-Match': response.headers.get('etag')! },
    body: { workflows: { application } },
  });
};

/** Returns a new tenant whose applications run by a process, and its key. */
async function withProcess(): Promise<{ readonly tenant: Tenant; readonly key: string }> {
  const tenant = await service.tenant();
  const key = await newActiveProcess(service, tenant);
  const { body } = await success(set(tenant, key));
  expect(body.workflows).toEqual({ application: key });
  return { tenant, key };
}

const instancesOf = async (tenant: Tenant, applicationId?: string) =>
  (
    await success(
      api.GET('/v1/workflows/instances', {
        params: { query: { applicationId } },
        headers: await tenant.user('compliance_officer', { purpose: 'draws' }),
      }),
    )
  ).body.items;

const submit = async (tenant: Tenant, applicationId: string) =>
  api.POST('/v1/applications/{applicationId}/submit', {
    params: { path: { applicationId } },
    headers: await tenant.key(['write']),
  });

const retire = async (tenant: Tenant, key: string) => {
  const headers = await tenant.user('compliance_officer', { purpose: 'draws' });
  const { body } = await success(api.GET('/v1/workflows/definitions', { params: { query: { key } }, headers }));
  await success(
    api.POST('/v1/workflows/definitions/{workflowDefinitionId}/retire', {
      params: { path: { workflowDefinitionId: body.items[0]!.id } },
      headers,
    }),
  );
};

describe('A process that the settings name', () => {
  it('begins when an application is submitted, in its own name', async () => {
    const { tenant, key } = await withProcess();
    const applicationId = await newApplication(service, tenant);
    expect(await instancesOf(tenant, applicationId)).toEqual([]);
    await success(submit(tenant, applicationId));
    const [begun, ...others] = await instancesOf(tenant, applicationId);
    expect(others).toEqual([]);
    expect(begun).toMatchObject({
      definitionKey: key,
      applicationId,
      status: 'active',
      startedBy: { type: 'system', id: `workflow:${key}@1` },
    });
    const events = await tenant.audit();
    expect(events.filter(({ action }) => action === 'workflow.started')).toMatchObject([
      { outcome: 'success', resource_id: begun!.id },
    ]);
  });

  it('begins when an application is created and submitted by one call', async () => {
    const { tenant } = await withProcess();
    const { applicationId } = await newReviewedApplication(service, tenant);
    expect(await instancesOf(tenant, applicationId)).toHaveLength(1);
  });

  it('goes on with the answer to a request for information, which begins no second instance', async () => {
    const { tenant } = await withProcess();
    const applicationId = await newInformationRequest(service, tenant);
    const headers = await tenant.key(['write']);
    await success(
      api.PATCH('/v1/applications/{applicationId}', {
        params: { path: { applicationId } },
        headers,
        body: { applicant: { dateOfBirth: '1990-04-13' } },
      }),
    );
    await success(submit(tenant, applicationId));
    expect(await instancesOf(tenant, applicationId)).toHaveLength(1);
  });

  it('keeps applications from being submitted while no version of it is active', async () => {
    const { tenant, key } = await withProcess();
    const applicationId = await newApplication(service, tenant);
    await retire(tenant, key);
    expect(refused(await outcome(submit(tenant, applicationId)))).toEqual([409, 'workflow_not_active']);
    const create = api.POST('/v1/applications', {
      headers: await tenant.key(['write']),
      body: { ...maria(), level: 'basic', submit: true },
    });
    expect(refused(await outcome(create))).toEqual([409, 'workflow_not_active']);
    await success(set(tenant, null));
    const { body } = await success(submit(tenant, applicationId));
    expect([body.status, await instancesOf(tenant)]).toEqual(['in_review', []]);
  });

  const message = '<message id="m" name="begin"/>';
  const triggered = `<startEvent id="s"><messageEventDefinition messageRef="m"/></startEvent><endEvent id="e"/>
    ${flow('f1', 's', 'e')}`;
  it.each<[string, (tenant: Tenant) => Promise<string>]>([
    ['that nobody has drawn', async () => 'unknown'],
    ['of which there is only a draft', async (tenant) => (await newDraft(service, tenant)).key],
    ['that only a message starts', (tenant) => newActiveProcess(service, tenant, triggered, message)],
    ['of another tenant', async () => newActiveProcess(service, service.other, `${ENDS}${flow('f1', 's', 'e')}`)],
  ])('cannot be one %s', async (_, keyFor) => {
    const tenant = await service.tenant();
    const { status, body } = await outcome(set(tenant, await keyFor(tenant)));
    expect([status, body]).toMatchObject([
      422,
      { code: 'validation_failed', errors: [{ pointer: '/workflows/application', code: 'unknown_process' }] },
    ]);
  });
});
