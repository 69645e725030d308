/**
 * Attacks at the entrance: forged addresses, smuggled headers, paths in disguise. `attacks-borders.test.ts` and
 * `attacks-rights.test.ts` have attacks with a genuine credential, `auth-forged-tokens.test.ts` those with a forged
 * one, `auth-attacks.test.ts` races, timing, and codes used twice.
 */
import { describe, expect, it } from 'vitest';
import { newApplication, newDocument } from '../operations/application-records.ts';
import { success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { rawRequest } from '../support/raw.ts';
import { startTestService, useService, type Credential, type TestService } from '../support/service.ts';

const service = await useService();

const prefixOf = (key: Credential): string => (key['X-API-Key'] as string).slice(0, 'kyc_live_00000000'.length);

describe('an address that is forged to pass an allowlist', () => {
  const allowed = { ipAllowlist: ['203.0.113.0/24', '2001:db8::/32'] };
  const ALLOWED = ['203.0.113.9', '2001:db8::7', '::ffff:203.0.113.9'];
  const lines = (name: string, value: string): string[] => [`${name}: ${value}`];
  const tries = async (at: TestService, as: Credential, headers: readonly string[]): Promise<unknown> =>
    (await rawRequest(at.url, 'GET', '/v1/applications', { headers: [`X-API-Key: ${as['X-API-Key']}`, ...headers] }))
      .body['code'];

  const forged = ALLOWED.flatMap((address) => [
    ...['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP', 'X-Originating-IP'].map(
      (name) => lines(name, address),
    ),
    lines('Forwarded', `for="[${address}]"`),
    lines('X-Forwarded-For', `127.0.0.1, ${address}`),
    lines('X-Forwarded-For', `${address}, 127.0.0.1`),
    [...lines('X-Forwarded-For', address), ...lines('X-Forwarded-For', address)],
  ]);

  it('is not believed without a trusted proxy', async () => {
    const as = await service.acme.key(['read'], allowed);
    for (const headers of each(forged))
      expect(await tries(service, as, headers), headers.join()).toBe('ip_not_allowed');
  });

  it.each([1, 2])('is ignored behind %i trusted proxies, except the part that they wrote themselves', async (hops) => {
    const proxied = await startTestService({ env: { TRUST_PROXY: String(hops) } });
    const as = await proxied.acme.key(['read'], allowed);
    const seen = ['198.51.100.7', ...Array.from({ length: hops - 1 }, () => '10.0.0.2')].join(', ');
    for (const address of ALLOWED) {
      for (const mine of [address, `${address}, ${address}`, `${address},,`, `"${address}"`]) {
        expect(await tries(proxied, as, lines('X-Forwarded-For', `${mine}, ${seen}`)), mine).toBe('ip_not_allowed');
        expect(
          await tries(proxied, as, [...lines('X-Forwarded-For', mine), ...lines('X-Forwarded-For', seen)]),
          mine,
        ).toBe('ip_not_allowed');
      }
    }
    // A proxy that wrote nothing, or nonsense, vouches for no address.
    for (const nonsense of ['', ',', 'unknown', '203.0.113.9:443', '[2001:db8::7]', '203.0.113.9%eth0']) {
      const headers = lines(
        'X-Forwarded-For',
        [nonsense, ...Array.from({ length: hops - 1 }, () => '10.0.0.2')].join(', '),
      );
      expect(await tries(proxied, as, headers), nonsense).toBe('ip_not_allowed');
    }
    expect(
      await tries(
        proxied,
        as,
        lines('X-Forwarded-For', ['203.0.113.9', ...Array.from({ length: hops - 1 }, () => '10.0.0.2')].join(', ')),
      ),
    ).toBeUndefined();
    await proxied.stop();
  });

  it('does not provide another quota', async () => {
    const narrow = await startTestService({ env: { RATE_LIMIT_LOGINS_PER_ADDRESS: '2' } });
    const statuses = [];
    for (let i = 1; i <= 4; i++) {
      const { status } = await narrow.request('POST', '/v1/auth/login', {
        headers: { 'X-Forwarded-For': `198.51.100.${i}` },
        body: { email: 'nobody@example.com', password: 'wrong password' },
      });
      statuses.push(status);
    }
    expect(statuses).toEqual([401, 401, 429, 429]);
    await narrow.stop();
  });
});

describe('a header that smuggles another one in', () => {
  const INJECTED = /set-cookie|x-injected/i;

  it.each(['%0d%0aSet-Cookie:%20a=b', '%0aX-Injected:%201', '%E5%98%8A%E5%98%8DSet-Cookie:%20a=b', '%00'])(
    'is returned from no path, query or id: %s',
    async (payload) => {
      const as = await service.acme.key(['admin']);
      for (const target of [
        `/v1/applications/${payload}`,
        `/v1/settings/api-keys/${payload}`,
        `/v1/applications?q=${payload}`,
        `/${payload}`,
        `/v1/applications?cursor=${payload}`,
      ]) {
        const answer = await service.request('GET', target, { as });
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(
          [...answer.headers].filter(([name, value]) => INJECTED.test(name) || /[\r\n]/.test(value)),
          target,
        ).toEqual([]);
      }
    },
  );

  it('is returned from no name of an uploaded file', async () => {
    const applicationId = await newApplication(service, service.acme);
    const id = await newDocument(service, service.acme, applicationId);
    await service.database.sql('UPDATE document SET file_name = $2 WHERE id = $1', [
      id,
      'a"\r\nSet-Cookie: a=b\r\n\r\n<script>.jpg',
    ]);
    const answer = await service.request('GET', `/v1/applications/${applicationId}/documents/${id}/content`, {
      as: await service.acme.key(['read']),
    });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; [\x20-\x7e]+$/);
  });

  it.each([
    ['a field in a folded line', ['X-Request-Id: 0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00', ' X-Injected: 1']],
    ['two lengths', ['Content-Length: 0', 'Content-Length: 5']],
    ['a length beside chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['chunks that are hidden', ['Transfer-Encoding: xchunked']],
    ['a bare carriage return', ['X-Request-Id: a\rX-Injected: 1']],
  ])('is refused as malformed: %s', async (_, headers) => {
    const { status, headers: answered } = await rawRequest(service.url, 'POST', '/v1/auth/login', { headers });
    expect([400, 501]).toContain(status);
    expect(answered.has('x-injected')).toBe(false);
  });

  it.each(['X-HTTP-Method-Override', 'X-Method-Override', 'X-HTTP-Method'])(
    'does not change the method: %s',
    async (name) => {
      const key = await service.acme.key(['admin'], { name: 'Stays' });
      await success(service.api.GET('/v1/settings/api-keys', { headers: { ...key, [name]: 'DELETE' } }));
      const answer = await service.request('POST', `/v1/settings/api-keys/${prefixOf(key)}`, {
        as: key,
        headers: { [name]: 'DELETE' },
      });
      expect(answer.status).toBe(405);
      expect((await service.api.GET('/v1/settings/api-keys', { headers: key })).response.status).toBe(200);
    },
  );

  it.each(['X-Tenant-Id', 'X-Organization', 'X-User-Id', 'X-Role', 'X-Original-URL', 'X-Rewrite-URL', 'X-Environment'])(
    'does not change the caller, the tenant or the place: %s',
    async (name) => {
      const as = await service.acme.user('viewer');
      const plain = await service.request('GET', '/v1/auth/me', { as });
      for (const value of [service.other.id, 'owner', '/v1/admin/tenants', 'sandbox']) {
        const answer = await service.request('GET', '/v1/auth/me', { as, headers: { [name]: value } });
        expect([answer.text, answer.headers.get('x-environment')]).toEqual([plain.text, 'live']);
      }
    },
  );
});

describe('a path that is written in another way', () => {
  it.each([
    '/v1/admin/../applications',
    '/v1/./applications',
    '//v1/applications',
    '/V1/applications',
    '/v1/applications/',
    '/v1/applications;x=1',
    '/v1/%61pplications/%2e%2e',
    '/v1/applications%2f..%2fadmin',
  ])('leads nowhere: %s', async (target) => {
    const key = (await service.acme.key(['admin']))['X-API-Key'] ?? '';
    const { status } = await rawRequest(service.url, 'GET', target, { headers: [`X-API-Key: ${key}`] });
    expect([400, 404]).toContain(status);
  });
});
