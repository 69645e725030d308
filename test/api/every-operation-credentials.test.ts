import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SchemeName } from '../../server/contract/operation.ts';
import type { Scope } from '../../server/contract/principal.ts';
import { callExample, credentialOf, expectDocumented, personOf, schemesOf, scopesOf } from '../support/example-call.ts';
import { everyOperation, isPublic, ROLES } from '../support/operations.ts';
import { startTestService, type Credential, type TestService } from '../support/service.ts';

const SCOPES: readonly Scope[] = ['read', 'write', 'screening', 'kyb'];
const MACHINES = ['apiKey', 'oauth2'] as const;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const machine = (kind: SchemeName, scopes: readonly Scope[]): Promise<Credential> =>
  kind === 'apiKey' ? service.acme.key(scopes) : service.acme.client(scopes);

/** Signing out comes last: it ends the users of these tests. */
const secured = everyOperation.filter((operation) => !isPublic(operation))
  .sort((a, b) => Number(a.operationId === 'logout') - Number(b.operationId === 'logout'));

describe.each(secured)('$operationId', (operation) => {
  const schemes = schemesOf(operation);
  const machines = MACHINES.filter((kind) => schemes.includes(kind));

  it('asks for a credential and says which kinds it takes', async () => {
    const answer = await callExample(service, operation, { as: {} });
    expect([answer.status, answer.body.code]).toEqual([401, 'authentication_required']);
    expectDocumented(operation, answer);
    const challenge = answer.headers.get('www-authenticate') ?? '';
    expect(challenge.includes('Bearer realm=')).toBe(schemes.includes('bearerAuth') || schemes.includes('oauth2'));
    expect(challenge.includes('X-API-Key')).toBe(schemes.includes('apiKey'));
  });

  it('refuses two credentials at once', async () => {
    const as = { ...await service.acme.key(['admin']), ...await service.acme.user('owner') };
    const answer = await callExample(service, operation, { as });
    expect([answer.status, answer.body.code]).toEqual([400, 'ambiguous_credentials']);
    expectDocumented(operation, answer);
  });

  it.each([
    ['a token that is none', { Authorization: 'Bearer abc' }, 'token_invalid'],
    ['a token with another signature', { Authorization: `Bearer ${'eyJhbGciOiJub25lIn0'}.e30.AAAA` }, 'token_invalid'],
    ['the scheme Basic', { Authorization: 'Basic a3ljOmt5Yw==' }, 'token_invalid'],
    ['an empty Authorization field', { Authorization: '' }, 'token_invalid'],
  ])('refuses %s', async (_, as, code) => {
    const answer = await callExample(service, operation, { as });
    expect([answer.status, answer.body.code]).toEqual([401, code]);
    expectDocumented(operation, answer);
  });

  it('refuses an expired token', async () => {
    const token = service.running.services.tokens.forClient({ prefix: 'kyc_live_00000000', tenantId: service.acme.id, scopes: ['admin'], environment: 'live' }, -3600);
    const answer = await callExample(service, operation, { as: { Authorization: `Bearer ${token}` } });
    expect([answer.status, answer.body.code]).toEqual([401, 'token_expired']);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it.each(MACHINES.filter((kind) => !schemes.includes(kind)))('refuses %s, even with every scope', async (kind) => {
    const answer = await callExample(service, operation, { as: await machine(kind, ['admin']) });
    expect([answer.status, answer.body.code]).toEqual(operation.humanOnly ? [403, 'human_required'] : [401, 'authentication_required']);
    expectDocumented(operation, answer);
  });

  it.each(machines)('takes %s with the scope that it names', async (kind) => {
    const answer = await callExample(service, operation, { as: await credentialOf(service.acme, operation, kind) });
    expect([401, 403]).not.toContain(answer.status);
    expectDocumented(operation, answer);
  });

  it.each(machines.flatMap((kind) => SCOPES.filter((scope) => !scopesOf(operation, kind).includes(scope)).map((scope) => [kind, scope] as const)))(
    'refuses %s that only has the scope %s', async (kind, scope) => {
      const answer = await callExample(service, operation, { as: await machine(kind, [scope]) });
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope']);
      expect(answer.body.requiredScopes).toEqual(scopesOf(operation, kind));
      expectDocumented(operation, answer);
    });

  it.each(ROLES.filter((role) => operation.roles.includes(role)))('lets the role %s in', async (role) => {
    const answer = await callExample(service, operation, { as: await personOf(service.acme, operation, role) });
    // A group may draw a narrower line, and then says which.
    if (answer.body?.code === 'role_forbidden') expect(answer.body.detail).toEqual(expect.any(String));
    expectDocumented(operation, answer);
  });

  it.each(ROLES.filter((role) => !operation.roles.includes(role)))('refuses the role %s', async (role) => {
    const answer = await callExample(service, operation, { as: await service.acme.user(role) });
    expect([answer.status, answer.body.code]).toEqual([403, 'role_forbidden']);
    expectDocumented(operation, answer);
  });
});

describe('a refused permission', () => {
  it('is recorded with who was refused what', async () => {
    await service.request('POST', '/v1/sandbox/enable', { as: await service.other.key(['read']) });
    expect(await service.other.audit()).toEqual([{ action: 'access.denied', outcome: 'denied', resource_id: 'enableSandbox', reason: 'insufficient_scope' }]);
  });
});
