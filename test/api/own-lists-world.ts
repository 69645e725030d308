/** Fixture of the tests of own lists: the watch lists of a tenant. */
import type { components } from '../../server/contract/generated/client-types.ts';
import type { Answer, Tenant } from '../support/service.ts';
import { ownListCsv } from '../support/watch-lists.ts';
import { startMonitoringWorld } from './monitoring-world.ts';
import type { Refusal } from './screenings-world.ts';

type Schemas = components['schemas'];

/** Starts a service with calls of compliance officers about the lists of their own tenants. */
export async function startOwnListWorld() {
  const world = await startMonitoringWorld();
  const officerOf = (tenant: Tenant) => tenant.user('compliance_officer', { secondFactor: true });
  return {
    ...world,
    officerOf,
    /** Uploads a file, or a list of the rows, with further form parts. */
    async replace(
      file: Uint8Array | readonly string[],
      parts: Readonly<Record<string, string | Uint8Array>> = {},
      tenant: Tenant = world.acme,
    ): Promise<Answer<Schemas['ScreeningList'] & Refusal>> {
      const body = new FormData();
      for (const [name, value] of Object.entries({
        file: file instanceof Uint8Array ? file : ownListCsv(file),
        ...parts,
      }))
        body.set(name, value instanceof Uint8Array ? new Blob([new Uint8Array(value)]) : value);
      return world.request('PUT', '/v1/screenings/lists/own', { as: await officerOf(tenant), body });
    },
    remove: async (tenant: Tenant = world.acme): Promise<Answer<Refusal>> =>
      world.request('DELETE', '/v1/screenings/lists/own', { as: await officerOf(tenant) }),
    listed: async (tenant: Tenant = world.acme): Promise<Schemas['ScreeningList'] | undefined> =>
      (
        await world.request<{ items: Schemas['ScreeningList'][] }>('GET', '/v1/screenings/lists', {
          as: await officerOf(tenant),
        })
      ).body.items.find(({ id }) => id === 'own'),
    /** Returns every database row of own lists. */
    everyRow: () =>
      world.database.sql<{ row: string }>(`
      SELECT v::text AS row FROM own_list_version v UNION ALL SELECT p::text FROM own_list_part p
        UNION ALL SELECT k::text FROM subject_key k WHERE subject_type = 'own_list'
      UNION ALL SELECT e.id::text FROM audit_event e WHERE action LIKE 'list.own%' UNION ALL SELECT t.id::text
        FROM task t WHERE kind = 'monitoring.catch_up' ORDER BY 1`),
  };
}
