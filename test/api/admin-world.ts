/** Fixture of the tests of tenants and their administration: a service, its administrators, and short calls. */
import type { components, operations } from '../../server/contract/generated/client-types.ts';
import { success, type Api } from '../support/api.ts';
import { latestMail, tokenIn } from '../support/mail.ts';
import { PASSWORD, startTestService, type Credential, type Options, type TestService } from '../support/service.ts';
import { tenantOf, type Tenant } from '../support/tenant.ts';

export type Schemas = components['schemas'];
type Wire = Schemas['Tenant'];
type StatusUpdate = Schemas['TenantStatusUpdate'];
export type TenantFilters = NonNullable<operations['listTenants']['parameters']['query']>;

export const TENANTS = '/v1/admin/tenants';

/** A tenant with its record and its owner. */
type Administered = Tenant & { wire: Wire; owner: Credential; ownerEmail: string };

export interface AdminWorld {
  readonly service: TestService;
  /** Two administrators of the platform, who have both just given a second factor. */
  readonly admin: () => Promise<Credential>;
  readonly colleague: () => Promise<Credential>;
  create(body?: Partial<Schemas['TenantCreate']>): ReturnType<Calls['create']>;
  /** Creates a tenant whose owner has accepted the invitation. */
  tenant(body?: Partial<Schemas['TenantCreate']>): Promise<Administered>;
  /** Returns a tenant that has gone live. */
  liveTenant(): Promise<Administered>;
  get(id: string): ReturnType<Calls['get']>;
  patch(id: string, body: Schemas['TenantUpdate'], headers?: Credential): ReturnType<Calls['patch']>;
  put(id: string, body: Partial<StatusUpdate>, as?: Credential, headers?: Credential): ReturnType<Calls['put']>;
  list(query?: TenantFilters): ReturnType<Calls['list']>;
  /** Actions of both chains about a tenant: the platform's chain and the tenant's own. */
  events(id: string): Promise<{ platform: string[]; own: string[] }>;
  stop(): Promise<void>;
}

/** Returns the calls, made with the credential that `admin` returns. */
const calls = (api: Api, admin: () => Promise<Credential>) => ({
  create: async (body: Schemas['TenantCreate']) => api.POST(TENANTS, { headers: await admin(), body }),
  get: async (tenantId: string) =>
    api.GET(`${TENANTS}/{tenantId}`, { params: { path: { tenantId } }, headers: await admin() }),
  patch: async (tenantId: string, body: Schemas['TenantUpdate'], headers: Credential = {}) =>
    api.PATCH(`${TENANTS}/{tenantId}`, {
      params: { path: { tenantId } },
      headers: { ...(await admin()), ...headers },
      body,
    }),
  put: async (tenantId: string, body: Partial<StatusUpdate>, as?: Credential, headers: Credential = {}) =>
    api.PUT(`${TENANTS}/{tenantId}/status`, {
      params: { path: { tenantId } },
      headers: { ...(as ?? (await admin())), ...headers },
      body: { status: 'active', reasonCode: 'other', ...body },
    }),
  list: async (query: TenantFilters = {}) => api.GET(TENANTS, { params: { query }, headers: await admin() }),
});
type Calls = ReturnType<typeof calls>;

let made = 0;
export const newSlug = (): string => `tenant-${made++}`;

export async function startAdminWorld(options: Options = {}): Promise<AdminWorld> {
  const service = await startTestService(options);
  const { database, platform } = service;
  const admin = () => platform.user('platform_admin');
  // The list of known users has a separate entry for a user with a second factor, so this is another person.
  const colleague = () => platform.user('platform_admin', { secondFactor: true });
  const { create, ...others } = calls(service.api, admin);
  const world: AdminWorld = {
    service,
    admin,
    colleague,
    ...others,
    create(body = {}) {
      const slug = newSlug();
      return create({
        name: 'Fintech Aurora',
        slug,
        ownerEmail: `owner@${slug}.example`,
        ...body,
      });
    },
    async tenant(body = {}) {
      const {
        body: {
          tenant: wire,
          ownerInvitation: { email },
        },
      } = await success(world.create(body));
      const token = tokenIn(await latestMail(service.running.services, email));
      const { body: tokens } = await success(
        service.api.POST('/v1/auth/invitations/accept', { body: { token, name: 'Carla Dias', password: PASSWORD } }),
      );
      return {
        ...tenantOf(service, wire.id),
        wire,
        ownerEmail: email,
        owner: { Authorization: `Bearer ${tokens.accessToken}` },
      };
    },
    async liveTenant() {
      const tenant = await world.tenant();
      await database.sql(
        `UPDATE tenant SET status = 'active', sandbox_enabled = false, go_live_at = now() WHERE id = $1`,
        [tenant.wire.id],
      );
      service.running.services.credentials.forgetTenant(tenant.wire.id);
      return tenant;
    },
    async events(id) {
      const rows = await database.sql<{ action: string; tenant_id: string }>(
        `SELECT action, tenant_id FROM audit_event WHERE resource_type = 'tenant' AND resource_id = $1
          ORDER BY sequence`,
        [id],
      );
      const of = (own: boolean) =>
        rows.filter(({ tenant_id }) => (tenant_id === id) === own).map(({ action }) => action);
      return { platform: of(false), own: of(true) };
    },
    stop: () => service.stop(),
  };
  return world;
}
