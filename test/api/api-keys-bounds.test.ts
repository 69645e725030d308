/**
 * API tests of limited API keys: none can create, take over or change a key so that it has fewer limits than itself.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { refused, success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { shared } from '../support/service.ts';
import { apiKey, bearer, KEYS, startKeysWorld, type Schemas } from './api-keys-world.ts';

/** Administrative keys with a limit: one expires, one is restricted to this machine's address. */
let bound: readonly (readonly [what: string, headers: Record<string, string>, own: object])[];

const keys = await shared(startKeysWorld());
beforeAll(async () => {
  const expiresAt = new Date(keys.now().getTime() + 86_400_000);
  const ipAllowlist = ['127.0.0.0/8'];
  const brief = await keys.key(keys.tenantId, { expiresAt });
  const near = await keys.key(keys.tenantId, { ipAllowlist });
  const {
    body: { access_token: token },
  } = await keys.call<Schemas['AccessToken']>('POST', '/oauth/token', {
    form: { grant_type: 'client_credentials', client_id: brief.key.prefix, client_secret: brief.secret },
  });
  bound = [
    ['an end', apiKey(brief.secret), { expiresAt: expiresAt.toISOString() }],
    ['an end, by a token of it', bearer(token), { expiresAt: expiresAt.toISOString() }],
    ['an allowlist', apiKey(near.secret), { ipAllowlist }],
  ];
});

const FORBIDDEN = [403, 'self_widening_forbidden'];
const manage = (method: string, path: string, headers: Record<string, string>, json?: object) =>
  keys.call<Schemas['Problem']>(method, `${KEYS}${path}`, json === undefined ? { headers } : { headers, json });

describe('a key that is bound', () => {
  it('creates no key with fewer limits, whatever limits it', async () => {
    for (const [what, headers, own] of each(bound)) {
      expect(
        refused(await manage('POST', '', headers, { name: 'Child', environment: 'live', scopes: ['admin'] })),
        what,
      ).toEqual(FORBIDDEN);
      expect((await success(keys.create(own, headers))).status, what).toBe(201);
    }
  });

  it('neither takes over a key with fewer limits by rotating it, nor raises one', async () => {
    for (const [what, headers] of each(bound)) {
      const {
        apiKey: { prefix },
      } = (await success(keys.create())).body;
      expect(refused(await manage('POST', `/${prefix}/rotate`, headers, {})), what).toEqual(FORBIDDEN);
      expect(refused(await manage('PUT', `/${prefix}/scopes`, headers, { scopes: ['admin'] })), what).toEqual(
        FORBIDDEN,
      );
      expect((await manage('PUT', `/${prefix}/scopes`, headers, { scopes: ['read'] })).status, what).toBe(200);
      expect((await manage('PATCH', `/${prefix}`, headers, { name: 'Renamed' })).status, what).toBe(200);
      expect((await manage('DELETE', `/${prefix}`, headers)).status, what).toBe(204);
    }
  });

  it('removes the limits of no key', async () => {
    for (const [what, headers, own] of each(bound)) {
      const {
        apiKey: { prefix },
      } = (await success(keys.create(own, headers))).body;
      expect(refused(await manage('PATCH', `/${prefix}`, headers, { expiresAt: null, ipAllowlist: [] })), what).toEqual(
        FORBIDDEN,
      );
      expect((await manage('POST', `/${prefix}/rotate`, headers, {})).status, what).toBe(201);
    }
  });

  it('leaves no key behind once it is superseded', async () => {
    const old = await keys.key(keys.tenantId);
    expect((await manage('POST', `/${old.key.prefix}/rotate`, keys.admin, { graceHours: 1 })).status).toBe(201);
    expect(
      refused(await manage('POST', '', apiKey(old.secret), { name: 'Child', environment: 'live', scopes: ['admin'] })),
    ).toEqual(FORBIDDEN);
  });

  it('does not limit people', async () => {
    const {
      apiKey: { prefix },
    } = (await success(keys.create({ expiresAt: keys.inDays(1) }))).body;
    expect((await manage('PATCH', `/${prefix}`, await keys.signedIn('admin'), { expiresAt: null })).status).toBe(200);
  });
});
