/** Fixture of the tests of tenant settings. */
import { success } from '../support/api.ts';
import { code } from '../support/authenticator.ts';
import { apiKey, bearer, startWorld, PASSWORD, type Answer, type Schemas, type World } from './auth-world.ts';
import type { Role } from '../../server/contract/operation.ts';

export { apiKey, bearer, type Answer, type Schemas } from './auth-world.ts';

export type Settings = Schemas['TenantSettings'];
export type Refusal = Schemas['Problem'];

export const SETTINGS = '/v1/settings';

/** A tenant whose settings tests read and change. */
export interface SettingsTenant {
  readonly id: string;
  readonly machine: Record<string, string>;
  signedIn(role: Role): Promise<Record<string, string>>;
  /** Creates a user with an authenticator, and returns a function with its next code. */
  withFactor(role: Role): Promise<{ headers: Record<string, string>; nextCode(): string }>;
  get<T = Settings>(query?: string, headers?: Record<string, string>): Promise<Answer<T>>;
  /** Patches the present version, unless the headers say otherwise. */
  patch<T = Settings>(json: object, headers?: Record<string, string>): Promise<Answer<T>>;
}

export interface SettingsWorld extends World {
  tenant(): Promise<SettingsTenant>;
}

export async function startSettingsWorld(): Promise<SettingsWorld> {
  const world = await startWorld();
  return {
    ...world,
    async tenant() {
      const id = await world.database.tenant();
      const machine = apiKey((await world.key(id)).secret);
      const signedIn = async (role: Role): Promise<Record<string, string>> =>
        bearer((await world.signIn((await world.user(id, role)).email)).accessToken);
      const get = <T>(query = '', headers = machine): Promise<Answer<T>> =>
        world.call<T>('GET', SETTINGS + query, { headers });
      return {
        id,
        machine,
        signedIn,
        get,
        async withFactor(role) {
          const headers = await signedIn(role);
          const {
            body: { secret },
          } = await success(world.api.POST('/v1/auth/totp/enroll', { headers, body: { password: PASSWORD } }));
          await success(
            world.api.POST('/v1/auth/totp/confirm', { headers, body: { code: code(secret, world.now()) } }),
          );
          // The code of the enrolment is valid for five minutes, and no code works twice.
          world.advance(6 * 60_000);
          return {
            headers,
            nextCode() {
              world.advance(30_000);
              return code(secret, world.now());
            },
          };
        },
        async patch(json, headers = machine) {
          const { headers: current } = await get();
          return world.call('PATCH', SETTINGS, {
            headers: { 'If-Match': current.get('etag') ?? '', ...headers },
            json,
          });
        },
      };
    },
  };
}
