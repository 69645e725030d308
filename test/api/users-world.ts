/** Fixture of the tests of the users of a tenant. */
import type { components, operations } from '../../server/contract/generated/client-types.ts';
import { success, type Api } from '../support/api.ts';
import { latestMail, tokenIn } from '../support/mail.ts';
import { type Credential, PASSWORD, type Person, startTestService, type TestService } from '../support/service.ts';
import { type Tenant, tenantOf } from '../support/tenant.ts';

export type Schemas = components['schemas'];
export type User = Schemas['User'];
export type UserList = Schemas['UserList'];
export type UserFilters = NonNullable<operations['listUsers']['parameters']['query']>;

export interface UsersWorld {
  readonly service: TestService;
  /** Returns a tenant that no other test uses, with an owner. */
  tenant(): Promise<Team>;
  /** Returns the secret of the link in the newest mail to the address. */
  linkTo(email: string): Promise<string>;
  accept(token: string, body?: Partial<Schemas['InvitationAccept']>): ReturnType<typeof acceptInvitation>;
  stop(): Promise<void>;
}

export interface Team extends Tenant {
  readonly owner: Person;
  get(userId: string, as?: Credential): ReturnType<Calls['get']>;
  patch(userId: string, body: Schemas['UserUpdate'], as?: Credential, headers?: Credential): ReturnType<Calls['patch']>;
  invite(body: Schemas['UserInvite'], as?: Credential, headers?: Credential): ReturnType<Calls['invite']>;
  list(query?: UserFilters, as?: Credential): ReturnType<Calls['list']>;
  /** Creates a user who was invited and has accepted. */
  member(
    role?: Schemas['UserInvite']['role'],
    email?: string,
  ): Promise<{ user: User; as: Credential; tokens: Schemas['TokenPair'] }>;
  /** Returns the actions of the audit events about a user, oldest first. */
  eventsAbout(userId: string): Promise<string[]>;
}

const calls = (api: Api) => ({
  get: (userId: string, as: Credential) => api.GET('/v1/users/{userId}', { params: { path: { userId } }, headers: as }),
  patch: (userId: string, body: Schemas['UserUpdate'], headers: Credential) =>
    api.PATCH('/v1/users/{userId}', { params: { path: { userId } }, headers, body }),
  invite: (body: Schemas['UserInvite'], headers: Credential) => api.POST('/v1/users/invitations', { headers, body }),
  list: (query: UserFilters, as: Credential) => api.GET('/v1/users', { params: { query }, headers: as }),
});
type Calls = ReturnType<typeof calls>;

const acceptInvitation = (api: Api, body: Schemas['InvitationAccept']) =>
  api.POST('/v1/auth/invitations/accept', { body });

let invited = 0;
export const newEmail = (): string => `invited-${invited++}@example.com`;

export async function startUsersWorld(env: Record<string, string> = {}): Promise<UsersWorld> {
  const service = await startTestService({ env });
  const { database } = service;
  const { get, patch, invite, list } = calls(service.api);
  const linkTo = async (email: string): Promise<string> => tokenIn(await latestMail(service.running.services, email));
  const accept: UsersWorld['accept'] = (token, body = {}) =>
    acceptInvitation(service.api, {
      token,
      name: 'Bruno Lima',
      password: PASSWORD,
      ...body,
    });
  return {
    service,
    linkTo,
    accept,
    async tenant() {
      const tenant = tenantOf(service, await database.tenant());
      const owner = await tenant.person('owner');
      const team: Team = {
        ...tenant,
        owner,
        get: (userId, as = owner.as) => get(userId, as),
        patch: (userId, body, as = owner.as, headers = {}) => patch(userId, body, { ...as, ...headers }),
        invite: (body, as = owner.as, headers = {}) => invite(body, { ...as, ...headers }),
        list: (query = {}, as = owner.as) => list(query, as),
        async member(role = 'analyst', email = newEmail()) {
          const { body: user } = await success(team.invite({ email, role }), 201);
          const { body: tokens } = await success(accept(await linkTo(email)));
          return { user, as: { Authorization: `Bearer ${tokens.accessToken}` }, tokens };
        },
        async eventsAbout(userId) {
          const rows = await database.sql<{ action: string }>(
            `SELECT action FROM audit_event WHERE tenant_id = $1 AND resource_id = $2 AND action LIKE 'user.%'
              ORDER BY sequence`,
            [tenant.id, userId],
          );
          return rows.map(({ action }) => action);
        },
      };
      return team;
    },
    stop: () => service.stop(),
  };
}
