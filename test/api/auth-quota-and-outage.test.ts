import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../server/identity/api-key.ts';
import { type Answer, apiKey, bearer, type Call, PASSWORD, type Schemas, startWorld, type World } from './auth-world.ts';

type Refusal = Schemas['Problem'] & Partial<Schemas['OAuthError']>;
type Request = readonly [operationId: string, method: string, path: string, caller: 'nobody' | 'user' | 'key', call: Call];

/** Well-formed, so that only the database can tell that nobody has it. */
const { prefix: PREFIX, secret: SECRET } = generateApiKey('live');
const requests: readonly Request[] = [
  ['createToken', 'POST', '/oauth/token', 'nobody', { form: { grant_type: 'client_credentials', client_id: PREFIX, client_secret: SECRET } }],
  ['login', 'POST', '/v1/auth/login', 'nobody', { json: { email: 'nobody@example.com', password: PASSWORD } }],
  ['refreshToken', 'POST', '/v1/auth/refresh', 'nobody', { json: { refreshToken: `rt_${'A'.repeat(43)}` } }],
  ['requestPasswordReset', 'POST', '/v1/auth/password/forgot', 'nobody', { json: { email: 'nobody@example.com' } }],
  ['resetPassword', 'POST', '/v1/auth/password/reset', 'nobody', { json: { token: `pr_${'A'.repeat(43)}`, newPassword: PASSWORD } }],
  ['acceptInvitation', 'POST', '/v1/auth/invitations/accept', 'nobody', { json: { token: `iv_${'A'.repeat(43)}`, name: 'Ana', password: PASSWORD } }],
  ['getCurrentUser', 'GET', '/v1/auth/me', 'user', {}],
  ['enrollTotp', 'POST', '/v1/auth/totp/enroll', 'user', { json: { password: PASSWORD } }],
  ['confirmTotp', 'POST', '/v1/auth/totp/confirm', 'user', { json: { code: '123456' } }],
  ['disableTotp', 'POST', '/v1/auth/totp/disable', 'user', { json: { password: PASSWORD, code: '123456' } }],
  ['changePassword', 'POST', '/v1/auth/password/change', 'user', { json: { currentPassword: PASSWORD, newPassword: 'seven quiet rivers at dawn' } }],
  ['logout', 'POST', '/v1/auth/logout', 'user', {}],
  ['listApiKeys', 'GET', '/v1/settings/api-keys', 'key', {}],
  ['createApiKey', 'POST', '/v1/settings/api-keys', 'key', { json: { name: 'x', environment: 'live', scopes: ['read'] } }],
  ['updateApiKey', 'PATCH', `/v1/settings/api-keys/${PREFIX}`, 'key', { json: { name: 'x' } }],
  ['replaceApiKeyScopes', 'PUT', `/v1/settings/api-keys/${PREFIX}/scopes`, 'key', { json: { scopes: ['read'] } }],
  ['rotateApiKey', 'POST', `/v1/settings/api-keys/${PREFIX}/rotate`, 'key', {}],
  ['revokeApiKey', 'DELETE', `/v1/settings/api-keys/${PREFIX}`, 'key', {}],
];

async function credentialOf(world: World, tenantId: string, caller: Request[3]): Promise<Record<string, string>> {
  if (caller === 'nobody') return {};
  if (caller === 'key') return apiKey((await world.key(tenantId)).secret);
  const { id } = await world.user(tenantId);
  const sessionId = crypto.randomUUID();
  await world.database.sql(
    `INSERT INTO session (tenant_id, id, user_id, absolute_expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`, [tenantId, sessionId, id]);
  return bearer(world.running.services.tokens.forUser({ userId: id, tenantId, sessionId, role: 'owner', amr: ['pwd'] }, 900));
}

function expectRefused({ status, body, headers }: Answer<Refusal>, expected: number, code: string): void {
  expect([status, body.error ?? body.code]).toEqual([expected, body.error === undefined ? code : 'temporarily_unavailable']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

describe.each(requests)('%s', (_, method, path, caller, call) => {
  let world: World;
  let headers: Record<string, string>;
  const request = () => world.call<Refusal>(method, path, { ...call, headers });

  beforeAll(async () => {
    world = await startWorld({ RATE_LIMIT_REQUESTS: '2', RATE_LIMIT_LOGINS_PER_ADDRESS: '2' });
    headers = await credentialOf(world, await world.database.tenant(), caller);
  });
  afterAll(() => world.stop());

  it('makes a caller wait that has used up its quota', async () => {
    for (let i = 0; i < 2; i++) await (caller === 'nobody' ? request() : world.call('GET', '/v1/sandbox', { headers }));
    expectRefused(await request(), 429, 'rate_limited');
  });

  it('asks to come back when the database does not answer', async () => {
    world.advance(61_000);
    await world.database.close();
    expectRefused(await request(), 503, 'dependency_unavailable');
  });
});
