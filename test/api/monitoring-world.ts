/** Fixture of the tests of monitoring. */
import { setTimeout } from 'node:timers/promises';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newDecidedApplication } from '../operations/application-records.ts';
import type { Answer, Credential, Options, Tenant } from '../support/service.ts';
import { type Refusal, startScreeningWorld } from './screenings-world.ts';

type Schemas = components['schemas'];
export type Subscription = Schemas['Subscription'];
export type Alert = Schemas['Alert'];
/** Members that only a refusal has. */
export type Refused = Pick<Refusal, 'code' | 'errors'>;

/** Person whose name is unlike every name on the shipped lists. */
export const CLEAN = { fullName: 'Quirino Zagalho Tapajós', socialName: null, dateOfBirth: '1971-08-09' } as const;

/** Starts a service whose sandbox has lists that a test publishes, and approved people. */
export async function startMonitoringWorld(options: Options = {}) {
  const world = await startScreeningWorld(options);
  const { sandboxed, test } = world;
  const officer = await sandboxed.user('compliance_officer');
  const get = <T>(path: string, as: Credential = test): Promise<Answer<T>> => world.request('GET', path, { as });
  const subscriptionOf = async (applicationId: string | null, as?: Credential): Promise<Subscription> => {
    const {
      body: {
        items: [found],
      },
    } = await get<{ items: Schemas['SubscriptionSummary'][] }>(
      `/v1/monitoring/subscriptions?applicationId=${applicationId}`,
      as,
    );
    return (await get<Subscription>(`/v1/monitoring/subscriptions/${found!.id}`, as)).body;
  };
  /** Runs all waiting runs, and waits for what the engine has to load. */
  const settle = async (): Promise<void> => {
    const until = performance.now() + 10_000;
    for (;;) {
      await world.running.runTasks();
      const left = await world.database.sql(
        `SELECT k.kind, k.attempts FROM task k JOIN tenant t ON t.id = k.tenant_id
          WHERE t.status IN ('onboarding', 'active')`,
      );
      if (left.length === 0) return;
      if (performance.now() > until) throw new Error(`tasks are left: ${JSON.stringify(left)}`);
      await setTimeout(50);
    }
  };
  return {
    ...world,
    officer,
    subscriptionOf,
    settle,
    /** Approves a person, and does the first run. */
    async approve(
      applicant: Parameters<typeof newDecidedApplication>[2] = CLEAN,
      tenant: Tenant = sandboxed,
    ): Promise<string> {
      const id = await newDecidedApplication(world, tenant, applicant);
      await settle();
      return id;
    },
    /** Waits until the active lists are loaded, screens all affected people, and returns the number of runs. */
    async follow(): Promise<number> {
      const pending = async (): Promise<boolean> =>
        (
          await world.database.sql(`
        SELECT FROM monitored_list_set m JOIN tenant t ON t.id = m.tenant_id AND t.status IN ('onboarding', 'active')
        WHERE m.sequences <> (SELECT jsonb_object_agg(list_id, sequence)
          FROM (SELECT list_id, max(sequence) AS sequence FROM watch_list_version v WHERE v.environment = m.environment
          GROUP BY 1) a)`)
        ).length > 0;
      let runs = 0;
      for (;;) {
        runs += (await world.running.runJob('monitoring.lists')) ?? 0;
        if (!(await pending())) break;
        await setTimeout(50);
      }
      await settle();
      return runs;
    },
    alerts: async (query = '', as?: Credential): Promise<Alert[]> =>
      (await get<{ items: Alert[] }>(`/v1/monitoring/alerts?${query}`, as)).body.items,
    coverage: async (as?: Credential) => (await get<Schemas['MonitoringCoverage']>('/v1/monitoring/coverage', as)).body,
    change: (
      id: string,
      body: object,
      as: Credential = officer,
      headers: Record<string, string> = {},
    ): Promise<Answer<Subscription & Refused>> =>
      world.request('PATCH', `/v1/monitoring/subscriptions/${id}`, { as, body, headers }),
    run: (id: string, as: Credential = test): Promise<Answer<Subscription & Refused>> =>
      world.request('POST', `/v1/monitoring/subscriptions/${id}/run`, { as }),
    triage: (id: string, body: object, as: Credential = officer): Promise<Answer<Alert & Refused>> =>
      world.request('POST', `/v1/monitoring/alerts/${id}/triage`, {
        as,
        body: { reasonCode: 'other', note: 'Looked at with care.', ...body },
      }),
  };
}
