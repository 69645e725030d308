/**
 * Test of every list: it shows one tenant only, also with the cursor of another; its pages follow each other in the
 * order that its description names; and a cursor continues only the list that it was made for.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { newBusiness } from '../operations/business-records.ts';
import { newOwnership } from '../operations/ownership.ts';
import { namesRecord, paramsOf } from '../operations/records.ts';
import { newAllowlistEntry, newAlert, newScreening } from '../operations/screening-records.ts';
import { newCase } from '../operations/case-records.ts';
import { newApplication, newDecidedApplication } from '../operations/application-records.ts';
import { newRiskAssessment, newRiskBacktest } from '../operations/risk-records.ts';
import { newVerification } from '../operations/verification-records.ts';
import { newDraft, newIncident, newInstance, newWorkflowTask } from '../operations/workflow-records.ts';
import { success } from '../support/api.ts';
import { exampleCall, expectDocumented, send } from '../support/calls.ts';
import { allOperations, described, everyOperation } from '../support/contract.ts';
import { credentialOf } from '../support/credentials.ts';
import { takeInRecovery } from '../support/recoveries.ts';
import { useService, type Credential, type Tenant } from '../support/service.ts';

type Page = {
  readonly items?: readonly {
    readonly id?: string;
    readonly prefix?: string;
    readonly rootHash?: string;
    readonly createdAt?: string;
  }[];
  readonly events?: readonly { readonly eventId: string }[];
  readonly cursor: string | null;
};

const service = await useService({ directory: true });

/** Fills the lists of a tenant that operations cannot fill by themselves. */
async function withRecords(tenant: Tenant): Promise<Tenant> {
  for (let i = 0; i < 3; i++) await newApplication(service, tenant);
  for (let i = 0; i < 2; i++) await takeInRecovery(service.database.database, tenant.id);
  return tenant;
}

beforeAll(async () => {
  for (const tenant of [service.acme, service.other]) await withRecords(tenant);
});

/** Operations of tenants; staff of the platform may reach every tenant by the others. */
const ofTenants = everyOperation.filter(({ roles }) => !(roles.length === 1 && roles[0] === 'platform_admin'));

describe('a list', () => {
  const lists = ofTenants.filter(({ pagination }) => pagination !== null);
  const idsOf = ({ items = [], events = [] }: Page): string[] => [
    ...items.map(({ id, prefix, rootHash }) => id ?? prefix ?? rootHash ?? ''),
    ...events.map(({ eventId }) => eventId),
  ];
  const read = async (as: Credential, path: string): Promise<Page> =>
    (await service.request<Page>('GET', path, { as })).body;
  /** Returns a list of the tenant with at least two members. */
  const filled = async (tenant: Tenant, operation: Operation): Promise<{ as: Credential; path: string }> => {
    await Promise.all([
      tenant.key(['read'], { name: 'One' }),
      tenant.key(['read'], { name: 'Two' }),
      tenant.user('viewer'),
    ]);
    // A proof of an event that no checkpoint covers creates a checkpoint, at most once in ten seconds.
    for (let i = 0; i < 2; i++) {
      service.advance(10_000);
      const { eventId = '' } = await paramsOf(service, tenant, { path: '{eventId}' });
      await success(
        service.api.GET('/v1/audit/events/{eventId}/proof', {
          params: { path: { eventId } },
          headers: await tenant.key(['read']),
        }),
      );
    }
    const params = await paramsOf(service, tenant, operation);
    if (params['userId'] !== undefined) await session(tenant, params['userId']);
    if (params['applicationId'] !== undefined) await rename(tenant, params['applicationId']);
    const make = {
      listBusinesses: newBusiness,
      listScreenings: newScreening,
      listSubscriptions: newDecidedApplication,
      listAlerts: newAlert,
      listWork: newAlert,
      listRiskAssessments: newRiskAssessment,
      listCases: newCase,
      listVerifications: newVerification,
      listAllowlistEntries: newAllowlistEntry,
      listReports: newReportOfCase,
      listReportAuditEvents: newReportOfCase,
      listWorkflowDefinitions: newDraft,
      listWorkflowInstances: newInstance,
      listWorkflowIncidents: newIncident,
      listWorkflowTasks: newWorkflowTask,
    }[operation.operationId as string];
    // A tenant runs one backtest at a time.
    if (operation.operationId === 'listRiskBacktests')
      for (let i = 0; i < 2; i++) await newRiskBacktest(service, tenant, params['modelId']!);
    if (operation.operationId === 'listOwnershipVersions')
      for (let i = 0; i < 2; i++) await newOwnership(service, tenant, params['businessId']!, { version: i });
    if (operation.operationId === 'listBusinessTimeline') await newOwnership(service, tenant, params['businessId']!);
    if (make !== undefined) for (let i = 0; i < 2; i++) await make(service, tenant);
    if (namesRecord(operation)) await postTwice(tenant, operation.path, params);
    return { as: await credentialOf(tenant, operation), path: exampleCall(operation, params).path };
  };
  const newReportOfCase = (_: unknown, tenant: Tenant) => paramsOf(service, tenant, { path: '{reportId}' });
  /** Posts two items, because the lists below a record are empty before. */
  const postTwice = async (tenant: Tenant, path: string, params: Readonly<Record<string, string>>): Promise<void> => {
    for (const operation of allOperations.filter((other) => other.path === path && other.method === 'post')) {
      const { call, ...request } = exampleCall(operation, params);
      for (let i = 0; i < 2; i++)
        await send(service, { ...request, call: { ...call, as: await credentialOf(tenant, operation) } });
    }
  };
  /** Adds a second event to the timeline of an application, after its creation. */
  const rename = async (tenant: Tenant, applicationId: string) =>
    success(
      service.api.PATCH('/v1/applications/{applicationId}', {
        params: { path: { applicationId } },
        headers: await tenant.key(['write']),
        body: { purpose: 'other' },
      }),
    );
  const session = (tenant: Tenant, userId: string) =>
    service.database.sql(
      `INSERT INTO session (tenant_id, id, user_id, absolute_expires_at)
        VALUES ($1, $2, $3, now() + interval '30 days')`,
      [tenant.id, uuidv7(), userId],
    );

  it.each(lists)('shows one tenant: $operationId', async (operation) => {
    const [ours, theirs] = await Promise.all(
      [service.acme, service.other].map(async (tenant) => {
        const { as, path } = await filled(tenant, operation);
        return idsOf(await read(as, path));
      }),
    );
    expect(ours!.length * theirs!.length).toBeGreaterThan(0);
    expect(ours!.filter((id) => theirs!.includes(id))).toEqual([]);
  });

  it.each(lists)('refuses the cursor of another tenant: $operationId', async (operation) => {
    const [ours, theirs] = [await filled(service.acme, operation), await filled(service.other, operation)];
    const { cursor } = await read(theirs.as, `${theirs.path}?limit=1`);
    expect(cursor).toEqual(expect.any(String));
    const answer = await service.request('GET', `${ours.path}?limit=1&cursor=${cursor}`, { as: ours.as });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
    expectDocumented(operation, answer);
  });

  it.each(lists)('shows on its second page what follows the first one: $operationId', async (operation) => {
    const { as, path } = await filled(await withRecords(await service.tenant()), operation);
    const first = await read(as, `${path}?limit=1`);
    const second = await read(as, `${path}?limit=1&cursor=${first.cursor}`);
    const whole = await read(as, path);
    const [one, next] = [...idsOf(first), ...idsOf(second)];
    const ids = idsOf(whole);
    expect([one, next]).toEqual([expect.any(String), ids[ids.indexOf(one!) + 1]]);
    const times = (whole.items ?? []).map(({ createdAt = '' }) => createdAt);
    if (/newest first/i.test(described(operation).description ?? ''))
      expect(times).toEqual(times.toSorted().toReversed());
  });

  it.each(lists.filter(namesRecord))('refuses the cursor of another record: $operationId', async (operation) => {
    const tenant = await withRecords(await service.tenant());
    const [one, other] = [await filled(tenant, operation), await filled(tenant, operation)];
    const { cursor } = await read(other.as, `${other.path}?limit=1`);
    const answer = await service.request('GET', `${one.path}?limit=1&cursor=${cursor}`, { as: one.as });
    expect([answer.status, answer.body.code]).toEqual([400, 'cursor_filter_mismatch']);
  });

  it('finds nothing by the properties of another tenant', async () => {
    const as = await service.acme.key(['read']);
    const {
      body: { items },
    } = await success(service.api.GET('/v1/applications', { headers: await service.other.key(['read']) }));
    const theirs = items[0];
    for (const filter of [`externalId=${theirs?.externalId}`, `taxId=${theirs?.applicant.taxId?.value}`]) {
      expect(await read(as, `/v1/applications?${filter}`)).toEqual({ items: [], cursor: null, hasMore: false });
    }
  });
});
