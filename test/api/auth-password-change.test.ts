/** API tests of changing a password, also while a sign-in with the old one runs. */
import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { refused, success } from '../support/api.ts';
import { whileSignInsWait } from '../support/locks.ts';
import { shared } from '../support/service.ts';
import { bearer, PASSWORD, startWorld, type Answer } from './auth-world.ts';
import { NEW, passwordCalls } from './password-calls.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant('Banco Demonstração');
const calls = passwordCalls(world);

describe('changing a password', () => {
  it('requires the present one and ends the other sessions', async () => {
    const tenant = await world.database.tenant();
    const { email } = await world.user(tenant);
    const [mine, other] = [await world.signIn(email), await world.signIn(email)];
    expect(await calls.alive(other)).toBe(true);
    expect(refused(await calls.change(mine, 'wrong', NEW))).toEqual([403, 'invalid_current_password']);
    expect((await calls.change(mine, PASSWORD, NEW)).status).toBe(204);
    expect([await calls.alive(mine), await calls.alive(other)]).toEqual([true, false]);
    expect((await calls.login(email, NEW)).status).toBe(200);
    expect(await world.mail(email)).toMatchObject({ template: 'passwordChanged' });
    expect(await world.events(tenant)).toContain('auth.password.changed');
  });

  it('refuses the last five including the present one, and forgets older ones', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const passwords = [PASSWORD, ...Array.from({ length: 5 }, (_, i) => `${NEW}, number ${i}`)];
    for (let i = 1; i < 5; i++)
      expect((await calls.change(pair, passwords[i - 1] as string, passwords[i] as string)).status).toBe(204);
    for (const former of passwords.slice(0, 5))
      expect(refused(await calls.change(pair, passwords[4] as string, former)), former).toEqual([
        422,
        'password_reused',
      ]);
    expect((await calls.change(pair, passwords[4] as string, passwords[5] as string)).status).toBe(204);
    expect((await calls.change(pair, passwords[5] as string, PASSWORD)).status).toBe(204);
  });

  it('says why a new one is not accepted, and preserves the old one', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const weak = await calls.change(pair, PASSWORD, 'password1234');
    expect([...refused(weak), weak.body.reasons]).toEqual([422, 'weak_password', ['too_short', 'common']]);
    expect((await calls.login(email, PASSWORD)).status).toBe(200);
  });

  it('accepts composed and decomposed spelling as the same, preserves spaces, and never truncates', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const composed = '  cora\u00e7\u00e3o de le\u00e3o valente  ';
    expect((await calls.change(pair, PASSWORD, composed)).status).toBe(204);
    expect(refused(await calls.change(pair, composed, composed.normalize('NFD')))).toEqual([422, 'password_reused']);
    expect((await calls.login(email, composed.normalize('NFD'))).status).toBe(200);
    expect((await calls.login(email, composed.trim())).status).toBe(401);
    const longest = `${'never cut anything '.repeat(6)}0123456789abcd`.slice(0, 128).padEnd(128, '?');
    expect((await calls.change(pair, composed, longest)).status).toBe(204);
    expect((await calls.login(email, `${longest.slice(0, 127)}!`)).status).toBe(401);
    for (const unfit of [`${longest}x`, ''])
      expect(refused(await calls.change(pair, longest, unfit))).toEqual([422, 'validation_failed']);
    expect(refused(await calls.change(pair, longest, `${NEW}\u0000`))).toEqual([400, 'malformed_json']);
  });

  it('does not reveal that a guess behind five simultaneous wrong ones is right', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const wrong = Array.from({ length: 15 }, (_, i) => calls.change(pair, `guess ${i}`, NEW));
    expect(refused(await calls.change(pair, PASSWORD, NEW))).toEqual([423, 'account_locked']);
    await Promise.all(wrong);
  });

  it('happens once if it is requested twice at once', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const answers = await Promise.all(['one', 'two'].map((word) => calls.change(pair, PASSWORD, `${NEW} ${word}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
  });

  it('holds no connection while passwords are hashed', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 4 }, async () => world.signIn((await world.user(tenantId)).email)),
    );
    let most = 0;
    const watching = setInterval(() => {
      const { total, idle } = world.running.services.database.connections();
      most = Math.max(most, total - idle);
    }, 2);
    const answers = await Promise.all(pairs.map((pair) => calls.change(pair, PASSWORD, NEW)));
    clearInterval(watching);
    expect(answers.map(({ status }) => status)).toEqual(pairs.map(() => 204));
    expect(most).toBe(0);
  });

  it('invalidates the links that were mailed before', async () => {
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    const token = await calls.requestToken(email);
    expect((await calls.change(pair, PASSWORD, NEW)).status).toBe(204);
    expect(refused(await calls.reset(token, 'another of those sentences'))).toEqual([400, 'reset_token_invalid']);
  });

  it('is required after a sign-in with one that would not be accepted today', async () => {
    const { id, email } = await world.user(tenantId);
    await world.database.sql('UPDATE user_account SET password_hash = $1 WHERE id = $2', [await hash('short'), id]);
    const { body } = await calls.login(email, 'short');
    expect(body.passwordChangeRequired).toBe(true);
    const refresh = async (refreshToken: string) =>
      (await success(world.api.POST('/v1/auth/refresh', { body: { refreshToken } }))).body;
    const next = await refresh(body.refreshToken);
    expect(next.passwordChangeRequired).toBe(true);
    expect((await calls.change(next, 'short', NEW)).status).toBe(204);
    expect((await refresh(next.refreshToken)).passwordChangeRequired).toBe(false);
  });
});

describe('a password that is changed while a sign-in with the old one is running', () => {
  it.each<[string, (email: string) => Promise<() => Promise<Answer<unknown>>>]>([
    ['at sign-in', async (email) => () => calls.login(email, PASSWORD)],
    [
      'by an invitation',
      async (email) => {
        const other = await world.database.tenant();
        const { email: owner } = await world.user(other);
        const { accessToken } = await world.signIn(owner);
        await success(
          world.api.POST('/v1/users/invitations', { headers: bearer(accessToken), body: { email, role: 'viewer' } }),
          201,
        );
        const token = await world.mailedToken(email);
        return () =>
          world.call('POST', '/v1/auth/invitations/accept', { json: { token, name: 'Ana Souza', password: PASSWORD } });
      },
    ],
  ])('leaves them outside: %s', async (_, prepare) => {
    const { id, email } = await world.user(tenantId);
    const [enter, changed] = [await prepare(email), await hash(NEW)];
    const entering = await whileSignInsWait(world.database, async (isWaitedFor) => {
      const late = enter();
      await isWaitedFor();
      await world.database.sql('UPDATE user_account SET password_hash = $2 WHERE id = $1', [id, changed]);
      return { late };
    });
    expect(refused(await entering.late)).toEqual([401, 'invalid_credentials']);
    expect((await calls.login(email, NEW)).status).toBe(200);
  });
});
