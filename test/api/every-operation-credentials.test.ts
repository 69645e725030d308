/** Test of every operation that needs a credential: none, two or an expired one is refused. */
import { describe, expect, it } from 'vitest';
import { callExample, expectDocumented } from '../support/calls.ts';
import { everyOperation, isPublic } from '../support/contract.ts';
import { schemesOf } from '../support/credentials.ts';
import { useService } from '../support/service.ts';

const service = await useService();

const secured = everyOperation.filter((operation) => !isPublic(operation));
/** A sealed operation does not exist for who presents no valid credential (tipping-off.test.ts). */
const open = secured.filter(({ sealed }) => sealed.length === 0);

describe.each(open)('$operationId', (operation) => {
  const schemes = schemesOf(operation);

  it('requires a credential and names the accepted kinds', async () => {
    const answer = await callExample(service, operation, { as: {} });
    expect([answer.status, answer.body.code]).toEqual([401, 'authentication_required']);
    expectDocumented(operation, answer);
    const challenge = answer.headers.get('www-authenticate') ?? '';
    expect(challenge.includes('Bearer realm=')).toBe(schemes.includes('bearerAuth') || schemes.includes('oauth2'));
    expect(challenge.includes('X-API-Key')).toBe(schemes.includes('apiKey'));
  });

  it('refuses two credentials at once', async () => {
    const as = { ...(await service.acme.key(['admin'])), ...(await service.acme.user('owner')) };
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
});

describe('an expired token', () => {
  it.each(secured)('is refused by $operationId, so that its client renews it', async (operation) => {
    const token = service.running.services.tokens.forClient(
      {
        prefix: 'kyc_live_00000000',
        tenantId: service.acme.id,
        scopes: ['admin'],
        environment: 'live',
      },
      -3600,
    );
    const answer = await callExample(service, operation, { as: { Authorization: `Bearer ${token}` } });
    expect([answer.status, answer.body.code]).toEqual([401, 'token_expired']);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});
