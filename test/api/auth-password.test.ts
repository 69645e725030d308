import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whileSignInsWait } from '../support/locks.ts';
import { bearer, PASSWORD, startWorld, type Answer, type Schemas, type World } from './auth-world.ts';

let world: World;
let tenantId: string;

beforeAll(async () => {
  world = await startWorld();
  tenantId = await world.database.tenant('Banco Demonstração');
});
afterAll(() => world.stop());

const NEW = 'seven quiet rivers at dawn';
type Pair = Schemas['TokenPair'];

const forgot = (email: string) => world.call<Schemas['PasswordResetAccepted']>('POST', '/v1/auth/password/forgot', { json: { email } });
const reset = (token: string, newPassword = NEW, more: object = {}) =>
  world.call('POST', '/v1/auth/password/reset', { json: { token, newPassword, ...more } });
const change = ({ accessToken }: Pair, currentPassword: string, newPassword: string) =>
  world.call('POST', '/v1/auth/password/change', { headers: bearer(accessToken), json: { currentPassword, newPassword } });
const login = (email: string, password: string, more: object = {}) => world.call<Pair>('POST', '/v1/auth/login', { json: { email, password, ...more } });
const alive = async ({ accessToken }: Pair): Promise<boolean> => (await world.call('GET', '/v1/auth/me', { headers: bearer(accessToken) })).status === 200;
const verdict = ({ status, body }: Answer<unknown>): [number, string | undefined] => [status, (body as Schemas['Problem'] | undefined)?.code];

async function asked(email: string): Promise<string> {
  expect((await forgot(email)).status).toBe(202);
  return world.mailedToken(email);
}

describe('asking for a password reset', () => {
  it('mails a link whose token stays out of every log', async () => {
    const { email } = await world.user(tenantId);
    const answer = await forgot(email.toUpperCase());
    expect([answer.status, answer.body]).toEqual([202, { linkValidMinutes: 30 }]);
    const letter = await world.mail(email);
    expect(letter).toMatchObject({ template: 'passwordReset', to: { address: email } });
    expect(letter?.text).toMatch(/\/reset#token=pr_[\w-]{43}\n/);
  });

  it('answers the same whoever asks, and mails nobody but active users', async () => {
    const [inactive, former, invited] = [await world.user(tenantId), await world.user(tenantId), await world.user(tenantId)];
    await world.database.sql(`UPDATE user_account SET status = 'deactivated' WHERE id = $1`, [inactive.id]);
    await world.database.sql(`UPDATE membership SET status = 'deactivated' WHERE user_id = $1`, [former.id]);
    await world.database.sql(`UPDATE user_account SET status = 'invited', password_hash = NULL WHERE id = $1`, [invited.id]);
    for (const email of ['nobody@example.com', inactive.email, former.email, invited.email]) {
      const answer = await forgot(email);
      expect([answer.status, answer.text]).toEqual([202, '{"linkValidMinutes":30}']);
      expect(await world.mail(email)).toBeNull();
    }
    const known = await world.user(tenantId);
    const names = async (email: string): Promise<string[]> => [...(await forgot(email)).headers.keys()].sort();
    expect(await names(known.email)).toEqual(await names('somebody@example.com'));
  });

  it('takes a pause of a minute between two mails, in which the first link stays good', async () => {
    const { email } = await world.user(tenantId);
    const first = await asked(email);
    expect(await asked(email)).toBe(first);
    world.advance(60_000);
    const second = await asked(email);
    expect(second).not.toBe(first);
    expect(verdict(await reset(first))).toEqual([400, 'reset_token_invalid']);
    expect((await reset(second)).status).toBe(204);
  });

  it('fills no mailbox: after five mails there is a pause, which ends with a reset', async () => {
    const { email } = await world.user(tenantId);
    const mails = async (): Promise<number> => (await world.database.sql(
      `SELECT FROM mail_message WHERE template = 'passwordReset' AND recipient_mac = $1`, [world.running.services.mail.seal.recipientMac(email)])).length;
    for (let i = 0; i < 8; i++) {
      await forgot(email);
      world.advance(61_000);
    }
    expect(await mails()).toBe(5);
    world.advance(900_000);
    expect((await reset(await asked(email))).status).toBe(204);
    await forgot(email);
    expect(await mails()).toBe(7);
  });

  it('is recorded in the chain of each tenant, or in the platform’s', async () => {
    const tenant = await world.database.tenant();
    const { email } = await world.user(tenant);
    await forgot(email);
    expect(await world.events(tenant)).toEqual(['auth.password.reset_requested']);
    await forgot('stranger@example.com');
    const rows = await world.database.sql<{ text: string }>(`
      SELECT to_jsonb(audit_event)::text AS text FROM audit_event WHERE tenant_id = '00000000-0000-7000-8000-000000000001' AND action = 'auth.password.reset_requested'`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ text }) => text).join()).not.toContain('stranger');
  });
});

describe('asking for password resets of many people', () => {
  it('is as slow from one address as signing in, without using up its sign-ins', async () => {
    const guarded = await startWorld({ RATE_LIMIT_LOGINS_PER_ADDRESS: '3' });
    try {
      const ask = (name: number) => guarded.call('POST', '/v1/auth/password/forgot', { json: { email: `person-${name}@example.com` } });
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
  it('sets it, ends every session in every tenant, and tells the owner', async () => {
    const [tenant, other] = [await world.database.tenant(), await world.database.tenant()];
    const { id, email } = await world.user(tenant);
    const here = await world.signIn(email);
    await world.database.sql(`INSERT INTO membership (tenant_id, user_id, role) VALUES ($1, $2, 'viewer')`, [other, id]);
    const { body: choice } = await login(email, PASSWORD) as unknown as Answer;
    const there = await login(email, PASSWORD, { tenantSlug: choice.tenants?.find(({ slug }) => slug.endsWith(other.slice(-12)))?.slug });
    expect([await alive(here), await alive(there.body)]).toEqual([true, true]);
    expect((await reset(await asked(email))).status).toBe(204);
    expect([await alive(here), await alive(there.body)]).toEqual([false, false]);
    expect((await login(email, PASSWORD)).status).toBe(401);
    expect((await login(email, NEW, { tenantSlug: choice.tenants?.[0]?.slug })).status).toBe(200);
    expect(await world.mail(email)).toMatchObject({ template: 'passwordChanged' });
    for (const each of [tenant, other]) expect(await world.events(each)).toContain('auth.password.reset');
  });

  it('works once, also when the link is used ten times at once', async () => {
    const { email } = await world.user(tenantId);
    const token = await asked(email);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => reset(token, `${NEW} ${i}`)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 204).map(({ body }) => body.code))).toEqual(new Set(['reset_token_invalid']));
    expect(verdict(await reset(token))).toEqual([400, 'reset_token_invalid']);
  });

  it('works for half an hour', async () => {
    const { email } = await world.user(tenantId);
    const token = await asked(email);
    world.advance(30 * 60_000);
    expect(verdict(await reset(token))).toEqual([400, 'reset_token_invalid']);
  });

  it.each(['pr_', `pr_${'A'.repeat(43)}`, 'x'])('knows no token %s', async (token) => {
    expect(verdict(await reset(token))).toEqual([400, 'reset_token_invalid']);
  });

  it('says why a password will not do, and keeps the link good', async () => {
    const { email } = await world.user(tenantId);
    const token = await asked(email);
    const weak = await reset(token, 'password1234');
    expect([...verdict(weak), weak.body.reasons]).toEqual([422, 'weak_password', ['too_short', 'common']]);
    expect((await reset(token, 'o banco demonstracao no centro')).body.reasons).toEqual(['contains_tenant_name']);
    expect(verdict(await reset(token, PASSWORD))).toEqual([422, 'password_reused']);
    expect((await reset(token)).status).toBe(204);
  });

  it('asks for the second factor, and uses no code up for a password that was used before', async () => {
    const ana = await world.userWithFactor(tenantId);
    const token = await asked(ana.email);
    expect(verdict(await reset(token))).toEqual([401, 'mfa_required']);
    expect(verdict(await reset(token, PASSWORD))).toEqual([401, 'mfa_required']);
    const wrong = await reset(token, NEW, { totpCode: world.code(ana.secret, 5) });
    expect([...verdict(wrong), wrong.headers.get('www-authenticate')]).toEqual([401, 'invalid_mfa_code', 'Bearer realm="api"']);
    const totpCode = world.code(ana.secret);
    expect(verdict(await reset(token, PASSWORD, { totpCode }))).toEqual([422, 'password_reused']);
    expect((await reset(token, 'twelve chars', { totpCode })).status).toBe(204);
    expect(verdict(await login(ana.email, 'twelve chars', { totpCode }))).toEqual([401, 'invalid_mfa_code']);
  });

  it('is no way to guess the second factor, and a lock of the sign-in does not bar it', async () => {
    const ana = await world.userWithFactor(tenantId);
    for (let i = 0; i < 5; i++) await login(ana.email, 'wrong');
    expect((await login(ana.email, PASSWORD, { totpCode: world.code(ana.secret) })).status).toBe(423);
    const token = await asked(ana.email);
    for (let i = 0; i < 5; i++) expect((await reset(token, NEW, { totpCode: '000000' })).status).toBe(401);
    expect(verdict(await reset(token, NEW, { totpCode: world.code(ana.secret) }))).toEqual([423, 'account_locked']);
    world.advance(900_000);
    expect((await reset(token, NEW, { totpCode: world.code(ana.secret) })).status).toBe(204);
  });

  it('ends the lock after failed sign-ins', async () => {
    const { email } = await world.user(tenantId);
    for (let i = 0; i < 5; i++) await login(email, 'wrong');
    expect((await login(email, PASSWORD)).status).toBe(423);
    await reset(await asked(email));
    expect((await login(email, NEW)).status).toBe(200);
  });

  it('keeps no token readable', async () => {
    const { email } = await world.user(tenantId);
    const token = await asked(email);
    const [row] = await world.database.sql<{ text: string }>(`
      SELECT string_agg(r::text, ' ') || (SELECT string_agg(m::text, ' ') FROM mail_message m) || (SELECT string_agg(e::text, ' ') FROM audit_event e) AS text
      FROM password_reset r`);
    for (const readable of [token, token.slice(3), Buffer.from(token).toString('hex'), Buffer.from(token.slice(3), 'base64url').toString('hex')]) {
      expect(row?.text).not.toContain(readable);
    }
  });
});

describe('changing a password', () => {
  it('takes the present one and ends the other sessions', async () => {
    const tenant = await world.database.tenant();
    const { email } = await world.user(tenant);
    const [mine, other] = [await world.signIn(email), await world.signIn(email)];
    expect(await alive(other)).toBe(true);
    expect(verdict(await change(mine, 'wrong', NEW))).toEqual([403, 'invalid_current_password']);
    expect((await change(mine, PASSWORD, NEW)).status).toBe(204);
    expect([await alive(mine), await alive(other)]).toEqual([true, false]);
    expect((await login(email, NEW)).status).toBe(200);
    expect(await world.mail(email)).toMatchObject({ template: 'passwordChanged' });
    expect(await world.events(tenant)).toContain('auth.password.changed');
  });

  it('refuses the last five, the present one among them, and then forgets', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const passwords = [PASSWORD, ...Array.from({ length: 5 }, (_, i) => `${NEW}, number ${i}`)];
    for (let i = 1; i < 5; i++) expect((await change(pair, passwords[i - 1] as string, passwords[i] as string)).status).toBe(204);
    for (const former of passwords.slice(0, 5)) expect(verdict(await change(pair, passwords[4] as string, former)), former).toEqual([422, 'password_reused']);
    expect((await change(pair, passwords[4] as string, passwords[5] as string)).status).toBe(204);
    expect((await change(pair, passwords[5] as string, PASSWORD)).status).toBe(204);
  });

  it('says why a new one will not do, and leaves the old one', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const weak = await change(pair, PASSWORD, 'password1234');
    expect([...verdict(weak), weak.body.reasons]).toEqual([422, 'weak_password', ['too_short', 'common']]);
    expect((await login(email, PASSWORD)).status).toBe(200);
  });

  it('is the same in composed and decomposed spelling, keeps its spaces, and is never cut', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const composed = '  cora\u00e7\u00e3o de le\u00e3o valente  ';
    expect((await change(pair, PASSWORD, composed)).status).toBe(204);
    expect(verdict(await change(pair, composed, composed.normalize('NFD')))).toEqual([422, 'password_reused']);
    expect((await login(email, composed.normalize('NFD'))).status).toBe(200);
    expect((await login(email, composed.trim())).status).toBe(401);
    const longest = `${'never cut anything '.repeat(6)}0123456789abcd`.slice(0, 128).padEnd(128, '?');
    expect((await change(pair, composed, longest)).status).toBe(204);
    expect((await login(email, `${longest.slice(0, 127)}!`)).status).toBe(401);
    for (const refused of [`${longest}x`, '']) expect(verdict(await change(pair, longest, refused))).toEqual([422, 'validation_failed']);
    expect(verdict(await change(pair, longest, `${NEW}\u0000`))).toEqual([400, 'malformed_json']);
  });

  it('does not tell a guess that comes behind five wrong ones at once that it is right', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const wrong = Array.from({ length: 15 }, (_, i) => change(pair, `guess ${i}`, NEW));
    expect(verdict(await change(pair, PASSWORD, NEW))).toEqual([423, 'account_locked']);
    await Promise.all(wrong);
  });

  it('happens once when it is asked for twice at once', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const answers = await Promise.all(['one', 'two'].map((word) => change(pair, PASSWORD, `${NEW} ${word}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
  });

  it('keeps no connection from others while passwords are hashed', async () => {
    const pairs = await Promise.all(Array.from({ length: 4 }, async () => world.signIn((await world.user(tenantId)).email)));
    let most = 0;
    const watching = setInterval(() => {
      const { total, idle } = world.running.services.database.connections();
      most = Math.max(most, total - idle);
    }, 2);
    const answers = await Promise.all(pairs.map((pair) => change(pair, PASSWORD, NEW)));
    clearInterval(watching);
    expect(answers.map(({ status }) => status)).toEqual(pairs.map(() => 204));
    expect(most).toBe(0);
  });

  it('kills the links that were mailed before', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const token = await asked(email);
    expect((await change(pair, PASSWORD, NEW)).status).toBe(204);
    expect(verdict(await reset(token, 'another of those sentences'))).toEqual([400, 'reset_token_invalid']);
  });

  it('is asked for after a sign-in with one that would not be accepted today', async () => {
    const { id, email } = await world.user(tenantId);
    await world.database.sql('UPDATE user_account SET password_hash = $1 WHERE id = $2', [await hash('short'), id]);
    const { body } = await login(email, 'short');
    expect(body.passwordChangeRequired).toBe(true);
    const refresh = async (refreshToken: string) => (await world.call<Pair>('POST', '/v1/auth/refresh', { json: { refreshToken } })).body;
    const next = await refresh(body.refreshToken);
    expect(next.passwordChangeRequired).toBe(true);
    expect((await change(next, 'short', NEW)).status).toBe(204);
    expect((await refresh(next.refreshToken)).passwordChangeRequired).toBe(false);
  });
});

describe('a password that is changed while somebody comes in with the old one', () => {
  it.each<[string, (email: string) => Promise<() => Promise<Answer<unknown>>>]>([
    ['at sign-in', async (email) => () => login(email, PASSWORD)],
    ['by an invitation', async (email) => {
      const other = await world.database.tenant();
      const { email: owner } = await world.user(other);
      const { accessToken } = await world.signIn(owner);
      await world.call('POST', '/v1/users/invitations', { headers: bearer(accessToken), json: { email, role: 'viewer' } });
      const token = await world.mailedToken(email);
      return () => world.call('POST', '/v1/auth/invitations/accept', { json: { token, name: 'Ana Souza', password: PASSWORD } });
    }],
  ])('leaves them outside: %s', async (_, prepare) => {
    const { id, email } = await world.user(tenantId);
    const [enter, changed] = [await prepare(email), await hash(NEW)];
    const entering = await whileSignInsWait(world.database, async (isWaitedFor) => {
      const late = enter();
      await isWaitedFor();
      await world.database.sql('UPDATE user_account SET password_hash = $2 WHERE id = $1', [id, changed]);
      return { late };
    });
    expect(verdict(await entering.late)).toEqual([401, 'invalid_credentials']);
    expect((await login(email, NEW)).status).toBe(200);
  });
});
