/**
 * API tests of resetting a forgotten password by mail. An answer that reveals whether an address is known fails here.
 */
import { describe, expect, it } from 'vitest';
import { refused } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { PASSWORD, startWorld, type Answer } from './auth-world.ts';
import { NEW, passwordCalls } from './password-calls.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant('Banco Demonstração');
const calls = passwordCalls(world);

describe('asking for a password reset', () => {
  it('mails a link whose token stays out of every log', async () => {
    const { email } = await world.user(tenantId);
    const answer = await calls.forgot(email.toUpperCase());
    expect([answer.status, answer.body]).toEqual([202, { linkValidMinutes: 30 }]);
    const letter = await world.mail(email);
    expect(letter).toMatchObject({ template: 'passwordReset', to: { address: email } });
    expect(letter?.text).toMatch(/\/reset#token=pr_[\w-]{43}\n/);
  });

  it('gives every address the same answer, and sends mail only to active users', async () => {
    const [inactive, former, invited] = [
      await world.user(tenantId),
      await world.user(tenantId),
      await world.user(tenantId),
    ];
    await world.database.sql(`UPDATE user_account SET status = 'deactivated' WHERE id = $1`, [inactive.id]);
    await world.database.sql(`UPDATE membership SET status = 'deactivated' WHERE user_id = $1`, [former.id]);
    await world.database.sql(`UPDATE user_account SET status = 'invited', password_hash = NULL WHERE id = $1`, [
      invited.id,
    ]);
    for (const email of ['nobody@example.com', inactive.email, former.email, invited.email]) {
      const answer = await calls.forgot(email);
      expect([answer.status, answer.text]).toEqual([202, '{"linkValidMinutes":30}']);
      expect(await world.mail(email)).toBeNull();
    }
    const known = await world.user(tenantId);
    const names = async (email: string): Promise<string[]> => [...(await calls.forgot(email)).headers.keys()].sort();
    expect(await names(known.email)).toEqual(await names('somebody@example.com'));
  });

  it('waits a minute between two mails, during which the first link stays valid', async () => {
    const { email } = await world.user(tenantId);
    const first = await calls.requestToken(email);
    expect(await calls.requestToken(email)).toBe(first);
    world.advance(60_000);
    const second = await calls.requestToken(email);
    expect(second).not.toBe(first);
    expect(refused(await calls.reset(first))).toEqual([400, 'reset_token_invalid']);
    expect((await calls.reset(second)).status).toBe(204);
  });

  it('does not flood a mailbox: after five mails there is a pause, which ends with a reset', async () => {
    const { email } = await world.user(tenantId);
    const mails = async (): Promise<number> =>
      (
        await world.database.sql(`SELECT FROM mail_message WHERE template = 'passwordReset' AND recipient_mac = $1`, [
          world.running.services.mail.seal.recipientMac(email),
        ])
      ).length;
    for (let i = 0; i < 8; i++) {
      await calls.forgot(email);
      world.advance(61_000);
    }
    expect(await mails()).toBe(5);
    world.advance(900_000);
    expect((await calls.reset(await calls.requestToken(email))).status).toBe(204);
    await calls.forgot(email);
    expect(await mails()).toBe(7);
  });

  it('is recorded in the chain of each tenant, or in the platform’s', async () => {
    const tenant = await world.database.tenant();
    const { email } = await world.user(tenant);
    await calls.forgot(email);
    expect(await world.events(tenant)).toEqual(['auth.password.reset_requested']);
    await calls.forgot('stranger@example.com');
    const rows = await world.database.sql<{ text: string }>(`
      SELECT to_jsonb(audit_event)::text AS text FROM audit_event
        WHERE tenant_id = '00000000-0000-7000-8000-000000000001' AND action = 'auth.password.reset_requested'`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ text }) => text).join()).not.toContain('stranger');
  });
});

describe('asking for password resets of many people', () => {
  it('is as slow from one address as signing in, without using up its sign-ins', async () => {
    const guarded = await startWorld({ RATE_LIMIT_LOGINS_PER_ADDRESS: '3' });
    try {
      const ask = (name: number) =>
        guarded.call('POST', '/v1/auth/password/forgot', { json: { email: `person-${name}@example.com` } });
      const answers = await Promise.all([1, 2, 3, 4].map(ask));
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 429]);
      const { email } = await guarded.user(await guarded.database.tenant());
      expect((await guarded.signIn(email)).tokenType).toBe('Bearer');
    } finally {
      await guarded.stop();
    }
  });
});

describe('resetting a password', () => {
  it('sets it, ends every session in every tenant, and notifies the owner', async () => {
    const [tenant, other] = [await world.database.tenant(), await world.database.tenant()];
    const { id, email } = await world.user(tenant);
    const here = await world.signIn(email);
    await world.database.sql(`INSERT INTO membership (tenant_id, user_id, role) VALUES ($1, $2, 'viewer')`, [
      other,
      id,
    ]);
    const { body: choice } = (await calls.login(email, PASSWORD)) as unknown as Answer;
    const elsewhere = await calls.login(email, PASSWORD, {
      tenantSlug: choice.tenants?.find(({ slug }) => slug.endsWith(other.slice(-12)))?.slug,
    });
    expect([await calls.alive(here), await calls.alive(elsewhere.body)]).toEqual([true, true]);
    expect((await calls.reset(await calls.requestToken(email))).status).toBe(204);
    expect([await calls.alive(here), await calls.alive(elsewhere.body)]).toEqual([false, false]);
    expect((await calls.login(email, PASSWORD)).status).toBe(401);
    expect((await calls.login(email, NEW, { tenantSlug: choice.tenants?.[0]?.slug })).status).toBe(200);
    expect(await world.mail(email)).toMatchObject({ template: 'passwordChanged' });
    for (const each of [tenant, other]) expect(await world.events(each)).toContain('auth.password.reset');
  });

  it('works once, also if the link is used ten times at once', async () => {
    const { email } = await world.user(tenantId);
    const token = await calls.requestToken(email);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => calls.reset(token, `${NEW} ${i}`)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 204).map(({ body }) => body.code))).toEqual(
      new Set(['reset_token_invalid']),
    );
    expect(refused(await calls.reset(token))).toEqual([400, 'reset_token_invalid']);
  });

  it('works for half an hour', async () => {
    const { email } = await world.user(tenantId);
    const token = await calls.requestToken(email);
    world.advance(30 * 60_000);
    expect(refused(await calls.reset(token))).toEqual([400, 'reset_token_invalid']);
  });

  it.each(['pr_', `pr_${'A'.repeat(43)}`, 'x'])('rejects a token %s', async (token) => {
    expect(refused(await calls.reset(token))).toEqual([400, 'reset_token_invalid']);
  });

  it('says why a password is not accepted, and preserves the link', async () => {
    const { email } = await world.user(tenantId);
    const token = await calls.requestToken(email);
    const weak = await calls.reset(token, 'password1234');
    expect([...refused(weak), weak.body.reasons]).toEqual([422, 'weak_password', ['too_short', 'common']]);
    expect((await calls.reset(token, 'o banco demonstracao no centro')).body.reasons).toEqual(['contains_tenant_name']);
    expect(refused(await calls.reset(token, PASSWORD))).toEqual([422, 'password_reused']);
    expect((await calls.reset(token)).status).toBe(204);
  });

  it('requires the second factor, and uses no code up for a password that was used before', async () => {
    const ana = await world.userWithFactor(tenantId);
    const token = await calls.requestToken(ana.email);
    expect(refused(await calls.reset(token))).toEqual([401, 'mfa_required']);
    expect(refused(await calls.reset(token, PASSWORD))).toEqual([401, 'mfa_required']);
    const wrong = await calls.reset(token, NEW, { totpCode: world.code(ana.secret, 5) });
    expect([...refused(wrong), wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_mfa_code',
      'Bearer realm="api"',
    ]);
    const totpCode = world.code(ana.secret);
    expect(refused(await calls.reset(token, PASSWORD, { totpCode }))).toEqual([422, 'password_reused']);
    expect((await calls.reset(token, 'twelve chars', { totpCode })).status).toBe(204);
    expect(refused(await calls.login(ana.email, 'twelve chars', { totpCode }))).toEqual([401, 'invalid_mfa_code']);
  });

  it('does not allow guessing the second factor, and is not blocked by a lock of the sign-in', async () => {
    const ana = await world.userWithFactor(tenantId);
    for (let i = 0; i < 5; i++) await calls.login(ana.email, 'wrong');
    expect((await calls.login(ana.email, PASSWORD, { totpCode: world.code(ana.secret) })).status).toBe(423);
    const token = await calls.requestToken(ana.email);
    for (let i = 0; i < 5; i++) expect((await calls.reset(token, NEW, { totpCode: '000000' })).status).toBe(401);
    expect(refused(await calls.reset(token, NEW, { totpCode: world.code(ana.secret) }))).toEqual([
      423,
      'account_locked',
    ]);
    world.advance(900_000);
    expect((await calls.reset(token, NEW, { totpCode: world.code(ana.secret) })).status).toBe(204);
  });

  it('ends the lock after failed sign-ins', async () => {
    const { email } = await world.user(tenantId);
    for (let i = 0; i < 5; i++) await calls.login(email, 'wrong');
    expect((await calls.login(email, PASSWORD)).status).toBe(423);
    await calls.reset(await calls.requestToken(email));
    expect((await calls.login(email, NEW)).status).toBe(200);
  });

  it('keeps no token readable', async () => {
    const { email } = await world.user(tenantId);
    const token = await calls.requestToken(email);
    const [row] = await world.database.sql<{ text: string }>(`
      SELECT string_agg(r::text, ' ') || (SELECT string_agg(m::text, ' ')
        FROM mail_message m) || (SELECT string_agg(e::text, ' ') FROM audit_event e) AS text
      FROM password_reset r`);
    for (const readable of [
      token,
      token.slice(3),
      Buffer.from(token).toString('hex'),
      Buffer.from(token.slice(3), 'base64url').toString('hex'),
    ]) {
      expect(row?.text).not.toContain(readable);
    }
  });
});
