/**
 * Fixture of the tests of the monitoring of businesses: a tenant whose sandbox is on, because only it has a registry.
 */
import { setTimeout } from 'node:timers/promises';
import { LONGEST_WAIT } from '../../scripts/test/limits.ts';
import { newDecidedBusiness } from '../operations/business-records.ts';
import { type Credential, type Tenant, useService } from '../support/service.ts';
import type { Refused, Schemas } from './business-world.ts';

type Alert = Schemas['Alert'];
type Subscription = Schemas['Subscription'];
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Starts a service with a tenant whose sandbox is on, and returns short forms of the calls about its businesses. */
export async function startMonitoredBusinesses() {
  const service = await useService();
  const sandboxed: Tenant = await service.tenant();
  await service.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
    sandboxed.id,
  ]);
  const [officer, analyst, admin, kyb] = await Promise.all([
    sandboxed.user('compliance_officer'),
    sandboxed.user('analyst'),
    sandboxed.key(['admin'], { environment: 'test' }),
    sandboxed.key(['kyb'], { environment: 'test' }),
  ]);
  const call = <Body = Record<string, unknown>>(
    method: Method,
    path: string,
    body?: object,
    as: Credential = officer,
  ) => service.request<Body & Refused>(method, `/v1/${path}`, { as, ...(body !== undefined && { body }) });
  /** Does the tasks of all tenants until the subscriptions of a tenant wait for nothing. */
  const settle = async (tenant: Tenant = sandboxed): Promise<void> => {
    for (const until = performance.now() + LONGEST_WAIT; ; ) {
      await service.running.runTasks();
      const waiting = await service.database.sql(
        'SELECT FROM monitoring_subscription WHERE tenant_id = $1 AND waiting_for IS NOT NULL',
        [tenant.id],
      );
      if (waiting.length === 0) return;
      if (performance.now() > until) throw new Error('a run of a subscription is not done');
      await setTimeout(50);
    }
  };
  const subscriptionsOf = async (businessId: string, as: Credential = officer): Promise<Subscription[]> => {
    const path = `monitoring/subscriptions?businessId=${businessId}`;
    const { items } = (await call<Schemas['SubscriptionSummaryList']>('GET', path, undefined, as)).body;
    const found = items.map(({ id }) =>
      call<Subscription>('GET', `monitoring/subscriptions/${id}`, undefined, as).then(({ body }) => body),
    );
    return Promise.all(found);
  };
  return {
    service,
    sandboxed,
    officer,
    analyst,
    admin,
    kyb,
    call,
    settle,
    subscriptionsOf,
    subscriptionOf: async (businessId: string, as?: Credential): Promise<Subscription> =>
      (await subscriptionsOf(businessId, as))[0]!,
    /** Approves a business, and does the first run of its monitoring. */
    approve: async (tenant: Tenant = sandboxed): Promise<string> => {
      const id = await newDecidedBusiness(service, tenant);
      await settle(tenant);
      return id;
    },
    alertsOf: async (businessId: string, query = ''): Promise<Alert[]> =>
      (await call<Schemas['AlertList']>('GET', `monitoring/alerts?businessId=${businessId}&sort=firstSeenAt${query}`))
        .body.items,
    triage: (id: string, outcome: string, as: Credential = officer) =>
      call<Alert>(
        'POST',
        `monitoring/alerts/${id}/triage`,
        {
          outcome,
          reasonCode: 'other',
          note: 'Zorzetto was asked about it.',
        },
        as,
      ),
    /** Asks the registry again, as at the end of the interval. */
    run: async (businessId: string): Promise<Subscription> => {
      const [{ id }] = (await subscriptionsOf(businessId)) as [Subscription];
      const { status } = await call('POST', `monitoring/subscriptions/${id}/run`);
      if (status !== 202) throw new Error(`the run is refused with ${status}`);
      await settle();
      return (await subscriptionsOf(businessId))[0]!;
    },
    simulate: (body: object, as: Credential = admin) =>
      call<Schemas['Simulation']>('POST', 'sandbox/simulations', body, as),
    changeRegistry: (businessId: string, registryChange: string) =>
      call<Schemas['Simulation']>(
        'POST',
        'sandbox/simulations',
        { type: 'registry_change', target: { type: 'business', id: businessId }, parameters: { registryChange } },
        admin,
      ),
    /** Replaces the owners, from the version that there is. */
    own: async (businessId: string, graph: object): Promise<number> => {
      const path = `/v1/businesses/${businessId}/ownership`;
      const { headers } = await service.request('GET', path, { as: officer });
      const tag = { 'If-Match': headers.get('etag') ?? '"0"' };
      return (await service.request('PUT', path, { as: kyb, body: graph, headers: tag })).status;
    },
  };
}

/** Returns the status, the code and the members of a refusal. */
export const refusalOf = ({ status, body }: { readonly status: number; readonly body: Refused }) => [
  status,
  body.code,
  ...(body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`),
];
