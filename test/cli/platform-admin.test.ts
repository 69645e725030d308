/**
 * Tests of scripts/platform-admin.ts, which invites administrators of the platform and removes a lost authenticator.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformAdmin } from '../../scripts/platform-admin/command.ts';
import { PLATFORM_TENANT_ID, roles } from '../../server/database/roles.ts';
import { createTestDatabase, type TestDatabase, testSecret } from '../support/postgres.ts';
import { inProcess } from './in-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIMEOUT = 120_000;
const { PATH, NODE_COMPILE_CACHE } = process.env;
const INHERITED = { PATH, NODE_COMPILE_CACHE };

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

type Env = Readonly<Record<string, string>>;

function run(args: string[], env: Env): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['scripts/platform-admin.ts', ...args],
      { cwd: ROOT, env: { ...INHERITED, ...env } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** The same in this process. */
const order = (args: string[], env: Env): Promise<Outcome> => inProcess(platformAdmin, args, env);

const invitation = (email: string): string[] => ['--email', email, '--name', 'Paula Reis'];
const invite = (email: string, env: Env): Promise<Outcome> => order(invitation(email), env);
const linkIn = ({ out }: Outcome): string => /http\S+/.exec(out)?.[0] ?? '';
const tokenIn = (outcome: Outcome): string => linkIn(outcome).split('#token=')[1] ?? '';

/** Starts the service and waits for its first line; the service ends with the test. */
async function serve(env: Env): Promise<{ url: string; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    env: {
      ...INHERITED,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /Ready at (\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`the service ended: ${said}`)));
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const accept = (url: string, token: string): Promise<Response> =>
  fetch(`${url}/v1/auth/invitations/accept`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, name: 'Paula Reis', password: 'correct horse battery staple' }),
  });

describe('on the database of the service', () => {
  let env: Record<string, string>;
  beforeAll(async () => {
    env = { DATA_DIR: await mkdtemp(join(tmpdir(), 'compliance-admin-')) };
  });
  afterAll(() => rm(env['DATA_DIR'] ?? '', { recursive: true, force: true }));

  it(
    'invites a person before the service has ever run, while it runs and after it has stopped',
    async () => {
      const first = await run(invitation('paula@platform.example'), {
        ...env,
        PUBLIC_URL: 'https://compliance.example',
      });
      expect(first).toMatchObject({ code: 0, err: '' });
      expect(linkIn(first)).toMatch(/^https:\/\/compliance\.example\/invitation#token=[a-z]+_[\w-]{43}$/);

      const service = await serve(env);
      try {
        const again = await invite('Paula@Platform.example', env);
        expect(again).toMatchObject({ code: 0, err: '' });
        expect(again.out).toContain('the old one is dead');
        expect((await accept(service.url, tokenIn(first))).status).toBe(400);
        const answer = await accept(service.url, tokenIn(again));
        expect(answer.status).toBe(201);
        const { accessToken, user } = (await answer.json()) as { accessToken: string; user: object };
        expect(user).toMatchObject({ role: 'platform_admin', tenantId: PLATFORM_TENANT_ID });
        const tenants = () =>
          fetch(`${service.url}/v1/admin/tenants`, { headers: { Authorization: `Bearer ${accessToken}` } });
        expect(await (await tenants()).json()).toMatchObject({ code: 'mfa_enrolment_required' });
        expect(await invite('paula@platform.example', env)).toMatchObject({
          code: 0,
          out: 'paula@platform.example administers the platform already.\n',
        });
        expect(await order(['--email', 'paula@platform.example', '--remove'], env)).toMatchObject({ code: 0, err: '' });
        for (const begun = Date.now(); (await tenants()).status !== 401 && Date.now() - begun < 6_000; )
          await new Promise((wait) => setTimeout(wait, 100));
        expect((await tenants()).status).toBe(401);
      } finally {
        await service.stop();
      }
      const back = await invite('paula@platform.example', env);
      expect([back.code, linkIn(back)]).toEqual([0, expect.stringContaining(`${service.url}/invitation#token=`)]);
      const moved = await invite('paula@platform.example', { ...env, PORT: '8123' });
      expect(linkIn(moved)).toContain('http://127.0.0.1:8123/invitation#token=');
      expect(await readdir(env['DATA_DIR'] ?? '')).not.toContain('lock');
    },
    TIMEOUT,
  );
});

describe('on a database of one’s own', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { host, port, user, password, database: name } = database.superuser;
    env = {
      DATA_DIR: await mkdtemp(join(tmpdir(), 'compliance-admin-')),
      SERVICE_SECRET: testSecret,
      DATABASE_URL: `postgresql://${user}:${password}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    };
  });
  afterAll(async () => {
    await database.close();
    await rm(env['DATA_DIR'] ?? '', { recursive: true, force: true });
  });

  const events = () =>
    database.sql<{ action: string; actor: { type: string; id: string } }>(
      'SELECT action, actor FROM audit_event WHERE tenant_id = $1 ORDER BY sequence',
      [PLATFORM_TENANT_ID],
    );

  it(
    'records in the chain of the platform who was invited and from where, and mails nobody',
    async () => {
      expect(await invite('rita@platform.example', env)).toMatchObject({ code: 0, err: '' });
      expect(await events()).toMatchObject([{ action: 'user.invited', actor: { type: 'system', id: 'command_line' } }]);
      expect(await database.sql('SELECT FROM mail_message')).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    'removes a lost authenticator, and the sessions with it',
    async () => {
      await invite('sara@platform.example', env);
      const [{ id } = { id: '' }] = await database.sql<{ id: string }>(
        `SELECT id FROM user_account WHERE email = 'sara@platform.example'`,
      );
      await database.sql(`INSERT INTO user_totp (user_id, secret, confirmed_at) VALUES ($1, '\\x00', now())`, [id]);
      await database.sql(
        `INSERT INTO session (tenant_id, id, user_id, absolute_expires_at)
          VALUES ($1, gen_random_uuid(), $2, now() + interval '1 day')`,
        [PLATFORM_TENANT_ID, id],
      );
      expect(await order(['--email', 'sara@platform.example', '--reset-second-factor'], env)).toMatchObject({
        code: 0,
        err: '',
      });
      expect(await database.sql('SELECT FROM user_totp')).toEqual([]);
      expect(await database.sql('SELECT ended_reason FROM session')).toEqual([{ ended_reason: 'mfa_changed' }]);
      expect((await events()).at(-1)?.action).toBe('user.mfa_reset');
    },
    TIMEOUT,
  );

  it(
    'reports an address that belongs to no administrator',
    async () => {
      for (const option of ['--remove', '--reset-second-factor']) {
        expect(await run(['--email', 'nobody@platform.example', option], env)).toEqual({
          code: 1,
          out: '',
          err: 'nobody@platform.example does not administer the platform.\n',
        });
      }
    },
    TIMEOUT,
  );

  it(
    'reports without a stack trace that the database does not answer',
    async () => {
      const answer = await invite('rita@platform.example', {
        ...env,
        DATABASE_URL: `postgresql://${roles.app}@127.0.0.1:9/none`,
      });
      expect([answer.code, answer.out]).toEqual([1, '']);
      expect(answer.err).toMatch(/^The database of DATABASE_URL cannot be used: .*\n$/);
    },
    TIMEOUT,
  );
});

describe('its options', () => {
  it('are listed on request', async () => {
    const { code, out } = await run(['--help'], {});
    expect(code).toBe(0);
    expect(out).toContain('make platform-admin EMAIL=');
  });

  it.each<[string, string[]]>([
    ['no address', ['--name', 'Paula Reis']],
    ['an address that is none', ['--email', 'paula', '--name', 'Paula Reis']],
    ['no name', ['--email', 'a@example.com']],
    ['an empty name', ['--email', 'a@example.com', '--name', ' ']],
    ['an option that there is not', ['--mail', 'a@example.com']],
    ['two things at once', ['--email', 'a@example.com', '--remove', '--reset-second-factor']],
    ['an empty address', ['--email', '', '--name', 'Paula Reis']],
  ])('are refused with %s, in one line', async (_, args) => {
    const { code, out, err } = await order(args, { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' });
    expect([code, out]).toEqual([2, '']);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('are checked after an unusable environment is reported', async () => {
    const { code, err } = await order(['--email', 'a@example.com', '--name', 'A'], { PORT: 'x' });
    expect(code).toBe(1);
    expect(err).toContain('PORT must be an integer');
  });
});
