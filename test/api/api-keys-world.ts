/** Fixture of the tests of API keys. */
import type { Role } from '../../server/contract/operation.ts';
import type { Api } from '../support/api.ts';
import { apiKey, bearer, type Schemas, startWorld, type World } from './auth-world.ts';

export { apiKey, bearer, startWorld, type Answer, type Schemas } from './auth-world.ts';

export type Issued = Schemas['ApiKeyIssued'];
export type Key = Schemas['ApiKey'];

export const KEYS = '/v1/settings/api-keys';
export const wanted: Schemas['ApiKeyCreate'] = { name: 'Back end', environment: 'live', scopes: ['read'] };

/** A service with a tenant, and short forms of the calls that most tests of its keys make. */
export interface KeysWorld extends World {
  readonly tenantId: string;
  /** Headers of a key with all rights. */
  readonly admin: Record<string, string>;
  create(members?: Partial<Schemas['ApiKeyCreate']>, headers?: Record<string, string>): ReturnType<typeof createKey>;
  /** Returns 200, or the code of the refusal. */
  works(secret: string): Promise<number | string>;
  signedIn(role: Role): Promise<Record<string, string>>;
  inDays(days: number): string;
}

const createKey = (api: Api, body: Schemas['ApiKeyCreate'], headers: Record<string, string>) =>
  api.POST(KEYS, { headers, body });

export async function startKeysWorld(): Promise<KeysWorld> {
  const world = await startWorld();
  const tenantId = await world.database.tenant();
  const admin = apiKey((await world.key(tenantId)).secret);
  return {
    ...world,
    tenantId,
    admin,
    create: (members = {}, headers = admin) => createKey(world.api, { ...wanted, ...members }, headers),
    async works(secret) {
      const { error, response } = await world.api.GET('/v1/sandbox', { headers: apiKey(secret) });
      return error?.code ?? response.status;
    },
    signedIn: async (role) => bearer((await world.signIn((await world.user(tenantId, role)).email)).accessToken),
    inDays: (days) => new Date(world.now().getTime() + days * 86_400_000).toISOString(),
  };
}
