/** API tests of the form of token requests. */
import { describe, expect, it } from 'vitest';
import { bearer } from './auth-world.ts';
import { type Refusal, ways, expectRefused, startOauthTokenWorld } from './oauth-token-world.ts';

const { world, client, token } = await startOauthTokenWorld();
describe('a token request', () => {
  it('cannot present the client in two ways', async () => {
    const known = await client();
    const { headers = {} } = ways['HTTP Basic'](known);
    const { form = '' } = ways['the form'](known);
    expectRefused(await token({ headers, form }), 400, 'invalid_request');
    expectRefused(
      await token({ headers, form: { grant_type: 'client_credentials', client_secret: known.secret } }),
      400,
      'invalid_request',
    );
    expectRefused(
      await token({ headers, form: { grant_type: 'client_credentials', client_id: 'kyc_live_00000000' } }),
      400,
      'invalid_request',
    );
  });

  it('may repeat the client_id beside HTTP Basic', async () => {
    const known = await client();
    expect((await token(ways['HTTP Basic'](known, { client_id: known.id }))).status).toBe(200);
  });

  it.each([
    'Basic',
    'Basic %%%',
    `Basic ${Buffer.from('no colon').toString('base64')}`,
    `Basic ${Buffer.from('id:%zz').toString('base64')}`,
  ])('with the malformed header %j is invalid', async (Authorization) => {
    expectRefused(
      await token({ headers: { Authorization }, form: { grant_type: 'client_credentials' } }),
      400,
      'invalid_request',
    );
  });

  it('with another authentication scheme does not authenticate the client', async () => {
    const answer = await token({ headers: bearer('abc.def.ghi'), form: { grant_type: 'client_credentials' } });
    expectRefused(answer, 401, 'invalid_client');
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="oauth"');
  });

  it('without a client does not authenticate one; with half of it lacks a parameter', async () => {
    const { id, secret } = await client();
    expectRefused(await token({ form: { grant_type: 'client_credentials' } }), 401, 'invalid_client');
    expectRefused(await token({ form: { grant_type: 'client_credentials', client_id: id } }), 400, 'invalid_request');
    expectRefused(
      await token({ form: { grant_type: 'client_credentials', client_secret: secret } }),
      400,
      'invalid_request',
    );
  });

  it('is a form and nothing else', async () => {
    const { id, secret } = await client();
    const json = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
    const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expectRefused(await token({ json }), 400, 'invalid_request');
    expectRefused(await token({ form: '--x--', headers: multipart }), 400, 'invalid_request');
    expectRefused(
      await token({ form: 'grant_type=client_credentials', headers: { 'Content-Type': 'text/plain' } }),
      400,
      'invalid_request',
    );
    expectRefused(await token({}), 400, 'invalid_request');
    expectRefused(await token({ form: '' }), 400, 'invalid_request');
  });

  it('has parameters of bounded length, in UTF-8', async () => {
    expectRefused(await token(ways['the form'](await client(), { scope: 'x'.repeat(256) })), 400, 'invalid_request');
    expectRefused(await token({ form: 'x'.repeat(1_100_000) }), 400, 'invalid_request');
    const bytes = await fetch(`${world.running.url}/oauth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: Buffer.from([0x67, 0x3d, 0xff]),
    });
    expect([bytes.status, ((await bytes.json()) as Refusal).error]).toEqual([400, 'invalid_request']);
  });

  it('is a POST', async () => {
    const answer = await world.call('GET', '/oauth/token');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('is recorded in the chain of the client’s tenant', async () => {
    const tenant = await world.database.tenant();
    const known = await client({}, tenant);
    await token(ways['the form'](known));
    await token(ways['the form'](known, { scope: 'admin' }));
    await token(ways['the form']({ ...known, secret: 'wrong' }));
    expect(await world.events(tenant)).toEqual(['oauth.token.issued', 'oauth.token.refused']);
  });
});
