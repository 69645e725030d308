/** API tests of an address that guesses credentials: it has to wait and learns nothing. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { generateApiKey } from '../../server/identity/api-key.ts';
import { refusal, requestToken } from '../support/api.ts';
import { startTestService, type Credential, type TestService } from '../support/service.ts';

const QUOTA = 5;

let service: TestService;
afterEach(() => service.stop());

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  service = await startTestService({ env: { RATE_LIMIT_FAILED_AUTHENTICATIONS: String(QUOTA), ...env } });
}

const guess = (): Credential => ({ 'X-API-Key': generateApiKey('live').secret });
const call = async (as: Credential, headers: Readonly<Record<string, string>> = {}) => {
  const { error, response } = await service.api.GET('/v1/applications', { headers: { ...as, ...headers } });
  return [response.status, error?.code ?? null];
};
const exhaust = async (headers: Readonly<Record<string, string>> = {}): Promise<void> => {
  for (let attempt = 0; attempt < QUOTA; attempt++)
    expect(await call(guess(), headers)).toEqual([401, 'api_key_invalid']);
};

describe('a site that guesses credentials', () => {
  it('has to wait for a minute', async () => {
    await start();
    await exhaust();
    const refused = await refusal(service.api.GET('/v1/applications', { headers: guess() }));
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    const seconds = refused.headers.get('retry-after');
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toBe(`"failed-authentications";r=0;t=${seconds}`);
    expect(refused.headers.get('ratelimit-policy')).toBe(`"failed-authentications";q=${QUOTA};w=60`);
    service.advance(61_000);
    expect(await call(guess())).toEqual([401, 'api_key_invalid']);
  });

  it('causes no further look-up', async () => {
    await start();
    await exhaust();
    const lookUps = vi.spyOn(service.running.services.credentials, 'key');
    for (let attempt = 0; attempt < 20; attempt++) expect((await call(guess()))[0]).toBe(429);
    expect(lookUps).not.toHaveBeenCalled();
  });

  it('does not learn from the refusal whether the last guess was right', async () => {
    await start();
    await exhaust();
    expect(await call(await service.acme.key(['read']))).toEqual([429, 'rate_limited']);
  });

  it('does not refuse a key that was accepted before', async () => {
    await start();
    const known = await service.acme.key(['read']);
    expect(await call(known)).toEqual([200, null]);
    await exhaust();
    service.advance(10_000);
    expect(await call(known)).toEqual([200, null]);
    expect((await call(await service.acme.user('analyst')))[0]).toBe(200);
  });

  it('is counted for forged tokens and at the token endpoint too', async () => {
    await start();
    for (let attempt = 0; attempt < QUOTA - 1; attempt++)
      expect((await call({ Authorization: 'Bearer e30.e30.e30' }))[1]).toBe('token_invalid');
    const { secret } = generateApiKey('live');
    const token = () => refusal(requestToken(service.api, secret));
    expect((await token()).body.error).toBe('invalid_client');
    const refused = await token();
    expect([refused.status, refused.body.error]).toEqual([429, 'temporarily_unavailable']);
    expect(refused.headers.get('ratelimit')).toMatch(/^"failed-authentications";r=0;t=\d+$/);
    expect(await call({ Authorization: 'Bearer e30.e30.e30' })).toEqual([429, 'rate_limited']);
  });

  it('is separate from other sites', async () => {
    await start({ TRUST_PROXY: '1' });
    await exhaust({ 'X-Forwarded-For': '203.0.113.7' });
    expect((await call(guess(), { 'X-Forwarded-For': '203.0.113.7' }))[0]).toBe(429);
    expect((await call(guess(), { 'X-Forwarded-For': '203.0.113.8' }))[0]).toBe(401);
  });
});
