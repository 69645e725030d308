/** Fixture of the tests of signing in while strangers guess passwords and codes. */
import { expect } from 'vitest';
import type { Answer } from '../support/service.ts';
import { PASSWORD, type Schemas, startWorld, type World } from './auth-world.ts';

export type Pair = Schemas['TokenPair'];
type Refusal = Schemas['Problem'];

/** The address that people sign in from. */
export const HOME = '198.51.100.10';
export const NEW_PASSWORD = 'seven quiet rivers at dawn';

/** A service that believes the addresses that requests name, with a tenant. */
export interface StrangersWorld extends World {
  readonly tenantId: string;
  post<T = Refusal>(path: string, json: object, ip: string, headers?: Record<string, string>): Promise<Answer<T>>;
  login<T = Pair & Refusal>(email: string, ip: string, more?: object): Promise<Answer<T>>;
  /** Returns another address on each call. */
  stranger(): string;
  /** Sends wrong passwords from addresses that the person never signed in from, until these are locked out. */
  attack(email: string): Promise<void>;
}

export const verdict = ({ status, body }: Answer<Refusal>): [number, string | undefined] => [status, body?.code];

export async function startStrangersWorld(): Promise<StrangersWorld> {
  const world = await startWorld({ TRUST_PROXY: '1' });
  const post: StrangersWorld['post'] = (path, json, ip, headers = {}) =>
    world.call('POST', path, { json, headers: { 'X-Forwarded-For': ip, ...headers } });
  const login: StrangersWorld['login'] = (email, ip, more = {}) =>
    post('/v1/auth/login', { email, password: PASSWORD, ...more }, ip);
  let strangers = 0;
  const stranger = (): string => `203.0.113.${++strangers % 250}`;
  return {
    ...world,
    tenantId: await world.database.tenant(),
    post,
    login,
    stranger,
    async attack(email) {
      for (let i = 0; i < 5; i++)
        expect(verdict(await login(email, stranger(), { password: 'wrong' }))).toEqual([401, 'invalid_credentials']);
      expect(verdict(await login(email, stranger(), { password: 'wrong' }))).toEqual([423, 'account_locked']);
    },
  };
}
