/** API tests of attacks on sign-in and refresh tokens, including what the time of an answer reveals. */
import { verify } from '@node-rs/argon2';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Connection } from '../../server/database/connection.ts';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import { success } from '../support/api.ts';
import { processMilliseconds, ratioOf } from '../support/processor-time.ts';
import { raw } from '../support/raw.ts';
import { shared } from '../support/service.ts';
import { PASSWORD, startWorld, type Answer, type Schemas } from './auth-world.ts';

// The library does its real work and records its calls.
vi.mock('@node-rs/argon2', { spy: true });

const world = await shared(startWorld());
const tenantId = await world.database.tenant();
afterEach(() => void vi.restoreAllMocks());

type Pair = Schemas['TokenPair'];

const login = (email: string, password = 'wrong', more: object = {}): Promise<Answer<Schemas['Problem']>> =>
  world.call('POST', '/v1/auth/login', { json: { email, password, ...more } });

describe('a refresh token that a hundred requests present at once', () => {
  it('has one successor, in one family', async () => {
    const { id, email } = await world.user(tenantId);
    const { refreshToken } = await world.signIn(email);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => success(world.api.POST('/v1/auth/refresh', { body: { refreshToken } }))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1);
    const [row] = await world.database.sql<{ sessions: number; tokens: number; superseded: number }>(
      `
      SELECT count(DISTINCT s.id)::integer AS sessions, count(t.hash)::integer
        AS tokens, count(t.superseded_at)::integer AS superseded
      FROM session s JOIN refresh_token t ON t.tenant_id = s.tenant_id AND t.session_id = s.id WHERE s.user_id = $1`,
      [id],
    );
    expect(row).toEqual({ sessions: 1, tokens: 2, superseded: 1 });
  });

  it('by a thief and its owner alternately leaves neither of them signed in', async () => {
    const { id, email } = await world.user(tenantId);
    const { refreshToken } = await world.signIn(email);
    const present = (token: string, agent: string) =>
      world.call<Pair & Schemas['Problem']>('POST', '/v1/auth/refresh', {
        json: { refreshToken: token },
        headers: { 'User-Agent': agent },
      });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => present(refreshToken, i % 2 === 0 ? 'node' : 'thief')),
    );
    const won = answers.filter(({ status }) => status === 200).map(({ body }) => body.refreshToken);
    expect(new Set(won).size).toBeLessThanOrEqual(1);
    expect(answers.map(({ body }) => body.code)).toContain('refresh_token_reused');
    for (const token of new Set(won)) expect((await present(token, 'node')).body.code).toBe('refresh_token_invalid');
    expect(await world.database.sql(`SELECT FROM session WHERE user_id = $1 AND ended_at IS NULL`, [id])).toEqual([]);
    expect(await world.mail(email)).toMatchObject({ template: 'refreshTokenReused' });
  });
});

describe('an address that nobody has', () => {
  async function timed(work: () => Promise<unknown>): Promise<number> {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  }

  /**
   * Returns the statements of whole transactions. The heartbeat of the listener for changes is a transaction, too, but
   * belongs to no request.
   */
  async function statements(work: () => Promise<unknown>): Promise<string[]> {
    const send = vi.spyOn(Connection.prototype, 'send');
    await work();
    const transactions: { readonly connection: unknown; readonly sent: string[] }[] = [];
    for (const [index, [{ name, text }]] of send.mock.calls.entries()) {
      const connection = send.mock.contexts[index];
      if (text.startsWith('BEGIN')) transactions.push({ connection, sent: [] });
      transactions
        .findLast((transaction) => transaction.connection === connection)
        ?.sent.push(name ?? text.replace(/'[^']*'/g, `'…'`));
    }
    send.mockRestore();
    return transactions
      .map(({ sent }) => sent)
      .filter((sent) => /^COMMIT|^ROLLBACK/.test(sent.at(-1) ?? '') && !sent.includes('changes.notify'))
      .flat();
  }

  it('costs a sign-in the same hash and the same statements', async () => {
    const { email } = await world.user(tenantId);
    await login(email);
    const work = async (address: string) => {
      vi.mocked(verify).mockClear();
      const sent = await statements(() => login(address));
      expect(sent).toContain('auth.throttle.read');
      return [sent, vi.mocked(verify).mock.calls.length];
    };
    expect(await work('nobody@example.com')).toEqual(await work(email));
  });

  it('is refused with as much processor work as a known one: a missing hash would be most of it', async () => {
    const { email } = await world.user(tenantId);
    await login(email);
    let round = 0;
    const known: string[] = [];
    for (let i = 0; i < 15; i++) known.push((await world.user(tenantId)).email);
    const ratio = await ratioOf(
      () => login(known[round++]!),
      () => login(`unknown-${round}@example.com`),
      { rounds: known.length, clock: processMilliseconds },
    );
    expect(Math.max(ratio, 1 / ratio)).toBeLessThan(1.5);
  });

  it('takes as long as a known one if a reset is requested', async () => {
    const forgot = (email: string) => world.call('POST', '/v1/auth/password/forgot', { json: { email } });
    // Minimum times, because other load on the machine lengthens them least; alternating, so that load lengthens both
    // alike.
    let [known, unknown] = [Infinity, Infinity];
    for (let i = 0; i < 15; i++) {
      const { email } = await world.user(tenantId);
      known = Math.min(known, await timed(() => forgot(email)));
      unknown = Math.min(unknown, await timed(() => forgot(`unknown-${i}@example.com`)));
    }
    expect(Math.min(known, unknown)).toBeGreaterThan(95);
    expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(2);
  });

  it('gets the same body and the same headers as a known one, after a wrong password or while locked', async () => {
    const { email } = await world.user(tenantId);
    const seen = async (address: string): Promise<unknown[]> => {
      const answers: unknown[] = [];
      for (let i = 0; i < 7; i++) {
        const { status, headers, body } = await login(address);
        const rest = [...headers].filter(
          ([name]) => !['date', 'x-request-id', 'ratelimit', 'content-length', 'retry-after'].includes(name),
        );
        answers.push([
          status,
          rest,
          {
            ...body,
            instance: '',
            requestId: '',
            retryAfter: 0,
          },
          headers.has('retry-after'),
        ]);
      }
      return answers;
    };
    expect(await seen(email)).toEqual(await seen('nobody-here@example.com'));
  });

  it('is recorded in the platform’s chain and readable nowhere', async () => {
    const before = (await world.events(PLATFORM_TENANT_ID)).length;
    for (let i = 0; i < 5; i++) await login('who.is.this@example.com');
    expect((await world.events(PLATFORM_TENANT_ID)).slice(before)).toEqual([
      ...Array.from({ length: 5 }, () => 'auth.login.failed'),
      'auth.login.locked',
    ]);
    const rows = await world.database.sql<{ text: string; resource_id: string }>(
      `SELECT to_jsonb(audit_event)::text AS text, resource_id FROM audit_event WHERE tenant_id = $1
        ORDER BY sequence DESC LIMIT 6`,
      [PLATFORM_TENANT_ID],
    );
    expect(rows.map(({ text }) => text).join()).not.toMatch(/who\.is\.this/);
    expect(new Set(rows.map(({ resource_id }) => resource_id)).size).toBe(1);
    expect(await world.mail('who.is.this@example.com')).toBeNull();
  });

  it('that somebody has is told of the lock by mail, once', async () => {
    const { email } = await world.user(tenantId);
    for (let i = 0; i < 8; i++) await login(email);
    expect(await world.mail(email)).toMatchObject({ template: 'accountLocked' });
    const rows = await world.database.sql(`SELECT FROM mail_message WHERE recipient_mac = $1`, [
      world.running.services.mail.seal.recipientMac(email),
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('what a client says about itself', () => {
  const body = (email: string): string => JSON.stringify({ email, password: PASSWORD });
  const send = (email: string, fields: string): Promise<string> =>
    raw(
      world.running.url,
      Buffer.from(
        'POST /v1/auth/login HTTP/1.1\r\n' +
          'Host: localhost\r\n' +
          'Content-Type: application/json\r\n' +
          `Content-Length: ${Buffer.byteLength(body(email))}\r\n` +
          'Connection: close\r\n' +
          `${fields}\r\n` +
          `${body(email)}`,
        'latin1',
      ),
    );

  it.each([
    'User-Agent: a\rX-Injected: 1\r\n',
    'User-Agent: a\0b\r\n',
    'User-Agent : a\r\n',
    'User-Agent: a\n X-Injected: 1\n\r\n',
  ])('in the field %j does not become another field', async (fields) => {
    const { email } = await world.user(tenantId);
    const answer = await send(email, fields);
    expect(answer).not.toMatch(/x-injected/i);
    expect(answer.split('\r\n')[0]).toMatch(/^HTTP\/1\.1 (400|200)/);
  });

  it('is stored as text, whatever it contains', async () => {
    const { id, email } = await world.user(tenantId);
    const agent = `"},{"action":"forged"}\t'; DROP TABLE session; -- <script>\xe9\xff`;
    expect(await send(email, `User-Agent: ${agent}\r\n`)).toMatch(/^HTTP\/1\.1 200/);
    const [row] = await world.database.sql<{ user_agent: string }>(
      'SELECT user_agent FROM session WHERE user_id = $1',
      [id],
    );
    expect(row?.user_agent).toBe(agent);
    const [event] = await world.database.sql<{ action: string; user_agent: string }>(
      `SELECT action, user_agent FROM audit_event WHERE tenant_id = $1 AND resource_id = $2 ORDER BY sequence DESC
        LIMIT 1`,
      [tenantId, id],
    );
    expect(event).toMatchObject({ action: 'auth.login.succeeded', user_agent: agent });
  });

  it('does not redirect mailed links by its host', async () => {
    const { email } = await world.user(tenantId);
    const json = JSON.stringify({ email });
    await raw(
      world.running.url,
      'POST /v1/auth/password/forgot HTTP/1.1\r\n' +
        'Host: attacker.example\r\n' +
        'X-Forwarded-Host: attacker.example\r\n' +
        'Forwarded: host=attacker.example\r\n' +
        'Content-Type: application/json\r\n' +
        `Content-Length: ${json.length}\r\n` +
        'Connection: close\r\n' +
        '\r\n' +
        `${json}`,
    );
    const letter = await world.mail(email);
    expect(letter?.text).toContain('/reset#token=');
    expect(JSON.stringify(letter)).not.toContain('attacker');
  });

  it('does not count for its address without a trusted proxy', async () => {
    const { id, email } = await world.user(tenantId);
    await world.signIn(email, {
      'X-Forwarded-For': '203.0.113.7',
      'X-Real-IP': '203.0.113.7',
      Forwarded: 'for=203.0.113.7',
    });
    const [row] = await world.database.sql<{ ip: string }>('SELECT ip FROM session WHERE user_id = $1', [id]);
    expect(row?.ip).toMatch(/^(127\.0\.0\.1|::1)$/);
  });
});
