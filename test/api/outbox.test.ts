/** API test of the page that shows the mail of the demo. */
import { afterEach, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function start(env: Readonly<Record<string, string>>): Promise<TestService> {
  service = await startTestService({ env });
  const {
    running: { services },
  } = service;
  await services.database.platform({ tenantId: null }, async (tx) => {
    for (const token of ['first', 'second']) {
      services.mail.queue(tx, {
        to: { address: 'ana@example.com', name: 'Ana' },
        locale: 'pt-BR',
        template: 'passwordReset',
        values: { token, expiresAt: new Date() },
      });
    }
  });
  return service;
}

describe('the outbox of the demo', () => {
  it('lists mail, newest first, with links that lead to this service', async () => {
    const { url, request } = await start({ DEMO: 'true' });
    const { status, headers, text } = await request('GET', '/outbox');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('content-security-policy')).toContain(`default-src 'none'`);
    expect([...text.matchAll(/href="([^"]*#token=\w+)"/g)].map(([, link]) => link)).toEqual([
      `${url}/reset#token=second`,
      `${url}/reset#token=first`,
    ]);
    expect(text).not.toContain('<script');
    const style = /href="(\/assets\/[^"]+\/outbox\.css)"/.exec(text)?.[1] ?? '';
    expect((await request('GET', style)).status).toBe(200);
  });

  it.each([
    ['outside the demo', {}],
    [
      'where a mail server is configured',
      { DEMO: 'true', SMTP_URL: 'smtp://localhost:2525', MAIL_FROM: 'no-reply@example.com' },
    ],
  ])('is not available %s', async (_where, env) => {
    const { request } = await start(env);
    expect((await request('GET', '/outbox')).status).toBe(404);
  });
});
