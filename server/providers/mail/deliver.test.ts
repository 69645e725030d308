/** Tests of delivering mail, with retries and an end. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { startMailServer, type TestMailServer } from '../../../test/support/smtp.ts';
import { createLog } from '../../base/log.ts';
import type { MailOutcome } from './deliver.ts';
import { deliverMail, discardOldMail, type Mail, Outbox, smtpMailer } from './index.ts';

let test: TestDatabase;
let mail: Outbox;
let now: Date;
let lines: string[];
let outcomes: MailOutcome[];
let servers: TestMailServer[];
beforeAll(async () => {
  test = await createTestDatabase();
  mail = new Outbox({ secrets: test.secrets, clock: () => now, origin: () => 'https://example.com' });
});
afterAll(() => test.close());
beforeEach(async () => {
  [now, lines, outcomes, servers] = [new Date('2026-11-21T12:00:00Z'), [], [], []];
  await test.sql('DELETE FROM mail_message');
});
afterEach(() => Promise.all(servers.map((server) => server.close())));

async function server(...options: Parameters<typeof startMailServer>): Promise<TestMailServer> {
  const started = await startMailServer(...options);
  servers.push(started);
  return started;
}

function queue(address: string, overrides: Partial<Mail> = {}): Promise<void> {
  return test.database.platform({ tenantId: null }, async (tx) =>
    mail.queue(tx, {
      to: { address, name: 'Maria' },
      locale: 'en',
      template: 'passwordReset',
      values: { token: 'secret-token', expiresAt: now },
      ...overrides,
    } as Mail),
  );
}

async function deliver(url: string, signal = new AbortController().signal): Promise<number> {
  const mailer = smtpMailer(url, { address: 'no-reply@example.com', name: 'Compliance Onboarding' });
  try {
    return await deliverMail({
      database: test.database,
      outbox: mail,
      mailer,
      clock: () => now,
      signal,
      log: createLog('info', { write: (line) => lines.push(line) }),
      onOutcome: (outcome) => outcomes.push(outcome),
    });
  } finally {
    mailer.close();
  }
}

interface Row {
  sealed: Buffer | null;
  attempts: number;
  last_error: string | null;
  delivered_at: string | null;
  given_up_at: string | null;
  next_attempt_at: string;
}
const rows = () => test.sql<Row & Record<string, unknown>>('SELECT * FROM mail_message ORDER BY id');

const wait = (milliseconds: number): void => {
  now = new Date(now.getTime() + milliseconds);
};

describe('the delivery of mail', () => {
  it('sends a letter once and keeps no content of it', async () => {
    const { url, received } = await server();
    await queue('maria@example.com');
    expect(await deliver(url)).toBe(1);
    expect(await deliver(url)).toBe(0);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ from: 'no-reply@example.com', to: ['maria@example.com'] });
    expect(received[0]?.source).toMatch(/^From: Compliance Onboarding <no-reply@example\.com>\r$/m);
    expect(received[0]?.source).toMatch(/^To: Maria <maria@example\.com>\r$/m);
    expect(received[0]?.source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(await rows()).toMatchObject([{ sealed: null, attempts: 1, last_error: null }]);
    expect(outcomes).toEqual(['delivered']);
  });

  it('delivers several letters, oldest first', async () => {
    const { url, received } = await server();
    for (let index = 0; index < 25; index++) {
      await queue(`user${index}@example.com`);
      wait(1);
    }
    expect(await deliver(url)).toBe(25);
    expect(received.map(({ to }) => to[0])).toEqual(
      Array.from({ length: 25 }, (_, index) => `user${index}@example.com`),
    );
  });

  it('retries at growing intervals while the server is unreachable', async () => {
    const away = await startMailServer();
    await away.close();
    await queue('one@example.com');
    await queue('two@example.com');
    expect(await deliver(away.url)).toBe(0);
    // If the server is unreachable for the first letter, the second one is not attempted.
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 0]);
    expect((await rows())[0]?.last_error).toMatch(/^(ESOCKET|ECONNREFUSED|ECONNECTION) CONN$/);
    const { url, received } = await server();
    expect(await deliver(url)).toBe(1);
    wait(30_000);
    expect(await deliver(url)).toBe(1);
    expect(received.map(({ to }) => to[0])).toEqual(['two@example.com', 'one@example.com']);
  });

  it('gives up after thirty attempts, reports it, and erases the letter', async () => {
    const { url } = await server({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('try later'), { responseCode: 451 })),
    });
    await queue('maria@example.com');
    let pauses = 0;
    for (; pauses < 40 && (await rows())[0]?.given_up_at === null; pauses++) {
      await deliver(url);
      wait(3_600_000);
    }
    expect(pauses).toBe(30);
    expect(await rows()).toMatchObject([
      {
        sealed: null,
        attempts: 30,
        delivered_at: null,
        last_error: 'EENVELOPE 451 RCPT TO',
      },
    ]);
    expect(outcomes).toEqual([...Array<string>(29).fill('deferred'), 'given_up']);
    expect(lines.filter((line) => line.includes('was given up'))).toHaveLength(1);
  });

  it('gives up at once on a recipient whom the server refuses permanently, and continues with the next', async () => {
    const { url, received } = await server({
      onRcptTo: ({ address }, _session, done) =>
        done(
          address === 'gone@example.com'
            ? Object.assign(new Error(`<${address}> is gone`), { responseCode: 550 })
            : null,
        ),
    });
    await queue('gone@example.com');
    await queue('here@example.com');
    expect(await deliver(url)).toBe(1);
    expect(received.map(({ to }) => to[0])).toEqual(['here@example.com']);
    expect((await rows())[0]).toMatchObject({ sealed: null, last_error: 'EENVELOPE 550 RCPT TO' });
  });

  it('signs in to the server and retries later if the login is refused', async () => {
    const { url, received } = await server({
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        password === 'p@ss' ? done(null, { user: username }) : done(new Error('no')),
    });
    await queue('maria@example.com');
    expect(await deliver(url.replace('smtp://', 'smtp://us:wrong@'))).toBe(0);
    expect(await rows()).toMatchObject([{ given_up_at: null, last_error: expect.stringMatching(/^EAUTH 535/) }]);
    wait(60_000);
    expect(await deliver(url.replace('smtp://', 'smtp://us:p%40ss@'))).toBe(1);
    expect(received).toHaveLength(1);
  });

  it('writes neither the address nor the letter to the log or the error', async () => {
    const { url } = await server({
      onRcptTo: ({ address }, _session, done) =>
        done(Object.assign(new Error(`<${address}> has no mailbox`), { responseCode: 550 })),
    });
    await queue('maria@example.com');
    await deliver(url);
    const [row] = await rows();
    for (const text of ['maria', 'Maria', 'secret-token']) expect(lines.join('') + row?.last_error).not.toContain(text);
  });

  it('stops between two letters if the service stops', async () => {
    const stopping = new AbortController();
    const { url } = await server({ onMailFrom: (_address, _session, done) => (stopping.abort(), done()) });
    await queue('one@example.com');
    await queue('two@example.com');
    expect(await deliver(url, stopping.signal)).toBe(1);
    expect((await rows()).map(({ sealed }) => sealed === null)).toEqual([true, false]);
  });

  it('does not wait for a server that hangs when the service stops, and retries later', async () => {
    const stopping = new AbortController();
    const { url } = await server({ onRcptTo: () => stopping.abort(), closeTimeout: 100 });
    await queue('maria@example.com');
    const started = performance.now();
    expect(await deliver(url, stopping.signal)).toBe(0);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(await rows()).toMatchObject([{ attempts: 0, delivered_at: null, given_up_at: null }]);
    const { url: better } = await server();
    expect(await deliver(better)).toBe(1);
  });

  it('sends the letter of a retry under the same Message-ID', async () => {
    let refuse = true;
    const sources: string[] = [];
    const { url, received } = await server({
      onData(stream, _session, done) {
        let source = '';
        stream.on('data', (chunk: Buffer) => (source += chunk));
        stream.on('end', () => {
          sources.push(source);
          done(refuse ? Object.assign(new Error('later'), { responseCode: 451 }) : null);
          refuse = false;
        });
      },
    });
    await queue('maria@example.com');
    await deliver(url);
    wait(60_000);
    expect(await deliver(url)).toBe(1);
    expect(received).toEqual([]);
    const ids = sources.map((source) => /^Message-ID: (.*)$/im.exec(source)?.[1]);
    expect(ids[0]).toMatch(/^<[0-9a-f-]{36}@example\.com>/);
    expect(ids[1]).toBe(ids[0]);
  });

  it.each([
    'Maria\r\nBcc: thief@example.com',
    'Maria\nBcc: thief@example.com\n\n<h1>',
    'Maria\u2028Bcc: thief@example.com',
    '" <thief@example.com>, "',
  ])('never turns the name %j into a header or a recipient', async (name) => {
    const { url, received } = await server();
    await queue('maria@example.com', {
      to: { address: 'maria@example.com', name },
      template: 'invitation',
      values: {
        tenantName: name,
        inviterName: name,
        token: 't',
        expiresAt: now,
      },
    });
    expect(await deliver(url)).toBe(1);
    expect(received[0]?.to).toEqual(['maria@example.com']);
    const headers =
      received[0]?.source
        .split('\r\n\r\n')[0]
        ?.split('\r\n')
        .filter((line) => !/^\s/.test(line))
        .map((line) => line.slice(0, line.indexOf(':'))) ?? [];
    expect(
      headers
        .filter((header) => /^(bcc|cc|to|from|subject)$/i.test(header))
        .map((header) => header.toLowerCase())
        .sort(),
    ).toEqual(['from', 'subject', 'to']);
  });

  it('removes delivered and undelivered letters after a week', async () => {
    const { url } = await server();
    await queue('one@example.com');
    await deliver(url);
    await queue('two@example.com');
    wait(6.9 * 86_400_000);
    expect(await discardOldMail(test.database, now)).toBe(0);
    await queue('three@example.com');
    wait(0.2 * 86_400_000);
    expect(await discardOldMail(test.database, now)).toBe(2);
    expect(await rows()).toHaveLength(1);
  });

  it('sends nothing unencrypted to another machine', async () => {
    const { url, received } = await server();
    await queue('maria@example.com');
    // An address of the same machine that does not show this. Without STARTTLS it gets nothing.
    expect(await deliver(url.replace('127.0.0.1', '0.0.0.0'))).toBe(0);
    expect(await rows()).toMatchObject([{ last_error: expect.stringMatching(/^ETLS .*STARTTLS$/) }]);
    expect(received).toEqual([]);
  });
});
