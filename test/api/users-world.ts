import type { components } from '../../server/contract/generated/types.ts';
import type { Role } from '../../server/contract/operation.ts';
import { latestMail, tokenIn } from '../support/mail.ts';
import { type Answer, type Credential, PASSWORD, type Person, startTestService, type TestService } from '../support/service.ts';
import { type Tenant, tenantOf } from '../support/tenant.ts';

export type Schemas = components['schemas'];
export type User = Schemas['User'];

export interface UsersWorld {
  readonly service: TestService;
  /** A tenant that no other test knows, with an owner. */
  tenant(): Promise<Team>;
  /** The secret of the link in the newest mail to the address. */
  linkTo(email: string): Promise<string>;
  accept(token: string, body?: object): Promise<Answer<Schemas['TokenPair'] & Schemas['Problem']>>;
  stop(): Promise<void>;
}

export interface Team extends Tenant {
  readonly owner: Person;
  get(userId: string, as?: Credential): Promise<Answer<User>>;
  patch<T = User>(userId: string, body: object, as?: Credential, headers?: Record<string, string>): Promise<Answer<T>>;
  invite<T = User>(body: object, as?: Credential, headers?: Record<string, string>): Promise<Answer<T>>;
  list(query?: string, as?: Credential): Promise<Answer<Schemas['UserList']>>;
  /** Somebody who was invited and came. */
  member(role?: Role, email?: string): Promise<{ user: User; as: Credential; tokens: Schemas['TokenPair'] }>;
  /** Actions of the audit events about a user, oldest first. */
  eventsAbout(userId: string): Promise<string[]>;
}

let invited = 0;
export const newEmail = (): string => `invited-${invited++}@example.com`;

export async function startUsersWorld(env: Record<string, string> = {}): Promise<UsersWorld> {
  const service = await startTestService({ env });
  const { database } = service;
  const linkTo = async (email: string): Promise<string> => tokenIn(await latestMail(service.running.services, email));
  const accept: UsersWorld['accept'] = (token, body = {}) =>
    service.request('POST', '/v1/auth/invitations/accept', { body: { token, name: 'Bruno Lima', password: PASSWORD, ...body } });
  return {
    service, linkTo, accept,
    async tenant() {
      const tenant = tenantOf(service, await database.tenant());
      const owner = await tenant.person('owner');
      const team: Team = {
        ...tenant, owner,
        get: (userId, as = owner.as) => service.request('GET', `/v1/users/${userId}`, { as }),
        patch: (userId, body, as = owner.as, headers = {}) => service.request('PATCH', `/v1/users/${userId}`, { as, body, headers }),
        invite: (body, as = owner.as, headers = {}) => service.request('POST', '/v1/users/invitations', { as, body, headers }),
        list: (query = '', as = owner.as) => service.request('GET', `/v1/users${query}`, { as }),
        async member(role = 'analyst', email = newEmail()) {
          const { body: user } = await team.invite({ email, role });
          const { body: tokens } = await accept(await linkTo(email));
          return { user, as: { Authorization: `Bearer ${tokens.accessToken}` }, tokens };
        },
        async eventsAbout(userId) {
          const rows = await database.sql<{ action: string }>(
            `SELECT action FROM audit_event WHERE tenant_id = $1 AND resource_id = $2 AND action LIKE 'user.%' ORDER BY sequence`, [tenant.id, userId]);
          return rows.map(({ action }) => action);
        },
      };
      return team;
    },
    stop: () => service.stop(),
  };
}

/** Status and code of a refusal. */
export const refused = ({ status, body }: Answer<unknown>): [number, string] => [status, (body as Schemas['Problem']).code];
