import type { components } from '../../server/contract/generated/types.ts';
import { success } from '../support/api.ts';
import { latestMail, tokenIn } from '../support/mail.ts';
import { PASSWORD, startTestService, type Answer, type Credential, type Options, type TestService } from '../support/service.ts';
import { tenantOf, type Tenant } from '../support/tenant.ts';

export type Schemas = components['schemas'];
type Wire = Schemas['Tenant'];

export const TENANTS = '/v1/admin/tenants';

export interface AdminWorld {
  readonly service: TestService;
  /** Two administrators of the platform, who have both just shown a second factor. */
  readonly admin: () => Promise<Credential>;
  readonly colleague: () => Promise<Credential>;
  create<T = Schemas['TenantCreated']>(body?: object, headers?: Record<string, string>): Promise<Answer<T>>;
  /** One made by `create`, whose owner has come. */
  tenant(body?: object): Promise<Tenant & { wire: Wire; owner: Credential; ownerEmail: string }>;
  get<T = Schemas['TenantDetail']>(id: string): Promise<Answer<T>>;
  patch<T = Wire>(id: string, body: object, headers?: Record<string, string>): Promise<Answer<T>>;
  put<T = Wire>(id: string, body: object, as?: Credential, headers?: Record<string, string>): Promise<Answer<T>>;
  list(query?: string): Promise<Answer<Schemas['TenantList']>>;
  /** Actions of both chains about a tenant: the platform's and its own. */
  events(id: string): Promise<{ platform: string[]; own: string[] }>;
  stop(): Promise<void>;
}

let made = 0;
export const newSlug = (): string => `tenant-${made++}`;

export async function startAdminWorld(options: Options = {}): Promise<AdminWorld> {
  const service = await startTestService(options);
  const { database, platform } = service;
  const admin = () => platform.user('platform_admin');
  // Another name in the list of known users: another person.
  const colleague = () => platform.user('platform_admin', { secondFactor: true });
  const world: AdminWorld = {
    service, admin, colleague,
    create: async (body = {}, headers = {}) => {
      const slug = newSlug();
      return service.request('POST', TENANTS, { as: await admin(), headers, body: { name: 'Fintech Aurora', slug, ownerEmail: `owner@${slug}.example`, ...body } });
    },
    async tenant(body = {}) {
      const { body: { tenant: wire, ownerInvitation: { email } } } = await world.create(body);
      const token = tokenIn(await latestMail(service.running.services, email));
      const { body: tokens } = await success(service.api.POST('/v1/auth/invitations/accept', { body: { token, name: 'Carla Dias', password: PASSWORD } }));
      return { ...tenantOf(service, wire.id), wire, ownerEmail: email, owner: { Authorization: `Bearer ${tokens.accessToken}` } };
    },
    get: async (id) => service.request('GET', `${TENANTS}/${id}`, { as: await admin() }),
    patch: async (id, body, headers = {}) => service.request('PATCH', `${TENANTS}/${id}`, { as: await admin(), body, headers }),
    put: async (id, body, as, headers = {}) => service.request('PUT', `${TENANTS}/${id}/status`, { as: as ?? await admin(), body: { reasonCode: 'other', ...body }, headers }),
    list: async (query = '') => service.request('GET', `${TENANTS}${query}`, { as: await admin() }),
    async events(id) {
      const rows = await database.sql<{ action: string; tenant_id: string }>(
        `SELECT action, tenant_id FROM audit_event WHERE resource_type = 'tenant' AND resource_id = $1 ORDER BY sequence`, [id]);
      const of = (own: boolean) => rows.filter(({ tenant_id }) => (tenant_id === id) === own).map(({ action }) => action);
      return { platform: of(false), own: of(true) };
    },
    stop: () => service.stop(),
  };
  return world;
}

/** Status and code of a refusal. */
export const refused = ({ status, body }: Answer<unknown>): [number, string] => [status, (body as Schemas['Problem']).code];
