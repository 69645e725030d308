/** API tests of accepting an invitation in a browser. */
import { describe, expect, it } from 'vitest';
import { invite } from '../../server/modules/invitations/invite.ts';
import { type Answer, shared } from '../support/service.ts';
import { bearer, PASSWORD, type Schemas, startWorld } from './auth-world.ts';
import { Browser, type Fields, SESSION, type Session, verdict } from './browser-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

const CHOSEN = 'seven quiet rivers at dawn';

async function invitation(email: string, tenant = tenantId): Promise<string> {
  const result = await world.database.database.platform({ tenantId: tenant }, (tx) =>
    invite(tx, {
      tenantId: tenant,
      email,
      name: 'Bruno Lima',
      role: 'analyst',
      invitedBy: { type: 'user', id: 'owner', display: 'Ana Souza' },
      now: world.now(),
    }),
  );
  return 'token' in result ? result.token : '';
}

type Acceptance = Partial<Schemas['InvitationAccept']>;

async function accept(
  browser: Browser,
  token: string,
  more: Acceptance = {},
  headers: Fields = {},
): Promise<Answer<Session & Schemas['Problem']>> {
  const answer = await browser.send<Session & Schemas['Problem']>('POST', `${SESSION}/by-invitation`, headers, {
    token,
    name: 'Bruno de Lima',
    password: CHOSEN,
    ...more,
  });
  if (answer.status === 200) browser.proof = answer.body.csrfToken;
  return answer;
}

describe('an invitation that is accepted in a browser', () => {
  it('signs in there, as a sign-in does, and leaves no other session behind', async () => {
    const tenant = await world.database.tenant();
    const browser = new Browser(world);
    const answer = await accept(browser, await invitation('bruno@example.com', tenant));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      csrfToken: expect.stringMatching(/^csrf_/) as string,
      user: {
        email: 'bruno@example.com',
        name: 'Bruno de Lima',
        role: 'analyst',
        tenantId: tenant,
      },
    });
    expect(answer.body).not.toHaveProperty('refreshToken');
    expect([...browser.cookies.keys()]).toEqual(['__Host-session', '__Host-device']);
    const { body } = await browser.renew();
    const sessions = await world.call<{ items: unknown[] }>('GET', `/v1/users/${body.user.id}/sessions`, {
      headers: bearer(body.accessToken),
    });
    expect(sessions.body.items).toHaveLength(1);
    expect((await world.events(tenant)).at(-1)).toBe('auth.invitation.accepted');
    expect((await browser.signIn('bruno@example.com', { password: CHOSEN })).status).toBe(200);
  });

  it('takes one code of a person who has a second factor elsewhere, and needs no further one', async () => {
    const ana = await world.userWithFactor(await world.database.tenant());
    const token = await invitation(ana.email);
    const browser = new Browser(world);
    expect([
      verdict(await accept(browser, token, { password: 'wrong and long enough' })),
      verdict(await accept(browser, token, { password: PASSWORD })),
      verdict(await accept(browser, token, { password: PASSWORD, totpCode: '000000' })),
    ]).toEqual([
      [401, 'invalid_credentials'],
      [401, 'mfa_required'],
      [401, 'invalid_mfa_code'],
    ]);
    expect(browser.cookies.size).toBe(0);
    const answer = await accept(browser, token, { password: PASSWORD, totpCode: world.code(ana.secret, 1) });
    expect([answer.status, answer.body.user.tenantId]).toEqual([200, tenantId]);
    expect((await browser.renew()).status).toBe(200);
  });

  it('is refused if a program would be refused, and sets no cookie', async () => {
    const suspended = await world.database.tenant();
    const [open, used, closed] = [
      await invitation('open@example.com'),
      await invitation('used@example.com'),
      await invitation('closed@example.com', suspended),
    ];
    await world.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [suspended]);
    await accept(new Browser(world), used);
    const browser = new Browser(world);
    const answers = [
      await accept(browser, `iv_${'A'.repeat(43)}`),
      await accept(browser, used),
      await accept(browser, closed),
      await accept(browser, open, { password: 'short' }),
      await accept(browser, open, { name: '' }),
      await accept(browser, open, {}, { Origin: 'https://attacker.example' }),
      await accept(browser, open, {}, { 'Sec-Fetch-Site': 'cross-site' }),
    ];
    expect(answers.map(verdict)).toEqual([
      [400, 'invitation_invalid'],
      [409, 'invitation_already_used'],
      [403, 'tenant_suspended'],
      [422, 'weak_password'],
      [422, 'validation_failed'],
      [403, 'cross_site_request'],
      [403, 'cross_site_request'],
    ]);
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    expect((await accept(browser, open)).status).toBe(200);
  });

  it('is locked after five wrong passwords', async () => {
    const { email } = await world.user(await world.database.tenant());
    const token = await invitation(email);
    const browser = new Browser(world);
    for (let i = 0; i < 5; i++)
      expect(verdict(await accept(browser, token, { password: 'wrong and long enough' }))).toEqual([
        401,
        'invalid_credentials',
      ]);
    expect(verdict(await accept(browser, token, { password: PASSWORD }))).toEqual([423, 'account_locked']);
  });
});
