/** API tests of a service that delivers mail to a server. */
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { findMail } from '../support/mail.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startMailServer, type TestMailServer } from '../support/smtp.ts';

let service: TestService;
let server: TestMailServer;
afterEach(async () => {
  await service.stop();
  await server.close();
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  server = await startMailServer();
  service = await startTestService({
    env: { SMTP_URL: server.url, MAIL_FROM: 'Onboarding <no-reply@example.com>', ...env },
  });
}

function queue(token: string): Promise<void> {
  const { mail, database } = service.running.services;
  return database.platform({ tenantId: null }, async (tx) =>
    mail.queue(tx, {
      to: { address: 'ana@example.com', name: 'Ana' },
      locale: 'en',
      template: 'passwordReset',
      values: { token, expiresAt: new Date() },
    }),
  );
}

describe('a service with a mail server', () => {
  it('delivers by itself what was queued, and counts it', async () => {
    await start({ JOBS: 'true' });
    await queue('to-be-sent');
    while (server.received.length === 0) await setTimeout(50);
    expect(server.received[0]?.to).toEqual(['ana@example.com']);
    expect(server.received[0]?.source.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')).toContain(
      `${service.url}/reset#token=to-be-sent`,
    );
    while ((await findMail(service.running.services, 'ana@example.com')) !== null) await setTimeout(20);
    expect((await service.request('GET', '/metrics')).text).toMatch(
      /^mail_attempts_total\{template="passwordReset",outcome="delivered"\} 1$/m,
    );
  });

  it('leaves it to another replica if it is configured to run no jobs', async () => {
    await start({ JOBS: 'false' });
    await queue('waits');
    await setTimeout(3_000);
    expect(server.received).toEqual([]);
    expect(await service.running.runJob('mail.deliver')).toBe(1);
  });

  it('begins links with the address that clients use', async () => {
    await start({ PUBLIC_URL: 'https://onboarding.example.com/' });
    await queue('public');
    expect((await findMail(service.running.services, 'ana@example.com'))?.text).toContain(
      'https://onboarding.example.com/reset#token=public',
    );
  });
});
