/** API tests of the limits of mail by invitations, so that nobody's mailbox is flooded. */
import { describe, expect, it } from 'vitest';
import { purgeThrottle } from '../../server/modules/sign-in/purge-store.ts';
import { outcome, refusal, success } from '../support/api.ts';
import { latestMail } from '../support/mail.ts';
import { shared, type Answer } from '../support/service.ts';
import { newEmail, startUsersWorld, type Team } from './users-world.ts';

const world = await shared(startUsersWorld());
const DAY = 86_400_000;

const seats = (tenantId: string, users: number) =>
  world.service.database.sql(`UPDATE tenant SET quotas = jsonb_build_object('users', $2::int) WHERE id = $1`, [
    tenantId,
    users,
  ]);

describe('mail that an invitation causes', () => {
  const limited = ({ status, headers, body: { code, errors, retryAfter } }: Answer): unknown => {
    expect(Number(headers.get('retry-after'))).toBe(retryAfter);
    return [status, code, errors?.[0]?.pointer];
  };

  it('is limited for one mailbox, whoever invites it, however it is written and whatever is revoked meanwhile', async () => {
    const teams = [await world.tenant(), await world.tenant(), await world.tenant()];
    const spellings = [
      'victim.one@example.com',
      'VICTIMONE@example.com',
      'victim.one+a@example.com',
      'v.i.c.t.i.m.one@EXAMPLE.com',
      'victimone+b+c@example.com',
    ];
    for (const [index, email] of spellings.entries()) {
      const team = teams[index % 3] as Team;
      const { status, body } = await success(team.invite({ email, role: 'viewer' }), 201);
      expect(status).toBe(201);
      await success(
        world.service.api.DELETE('/v1/users/invitations/{invitationId}', {
          params: { path: { invitationId: body.invitation!.id } },
          headers: team.owner.as,
        }),
      );
    }
    const more = await Promise.all(
      [...spellings, 'victim.one+z@example.com'].map((email, index) =>
        refusal((teams[index % 3] as Team).invite({ email, role: 'viewer' })),
      ),
    );
    for (const answer of more) expect(limited(answer)).toEqual([429, 'mail_limit_reached', '/email']);
    world.service.advance(DAY);
    const team = await world.tenant();
    await success(team.invite({ email: spellings[0]!, role: 'viewer' }), 201);
  });

  it('is limited if many invitations of one mailbox arrive at once', async () => {
    const teams = await Promise.all(Array.from({ length: 8 }, () => world.tenant()));
    const answers = await Promise.all(
      teams.map((team) => outcome(team.invite({ email: 'at-once@example.com', role: 'viewer' }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refusals = answers.filter(({ status }) => status !== 201);
    for (const answer of refusals)
      expect(answer.body).toMatchObject({
        code: 'mail_limit_reached',
        errors: [{ pointer: '/email' }],
        retryAfter: Number(answer.headers.get('retry-after')),
      });
    expect(refusals.map(({ status }) => status)).toEqual([429, 429, 429]);
  });

  it('is limited for a caller and for a tenant, not counting failed invitations', async () => {
    const team = await world.tenant();
    await seats(team.id, 40);
    const used = (what: string) =>
      world.service.database.sql(`UPDATE mail_quota SET used = used + 50 WHERE used >= $1`, [what]);
    for (let i = 0; i < 3; i++)
      expect((await refusal(team.invite({ email: 'no address', role: 'viewer' }))).status).toBe(422);
    await world.service.database.sql('DELETE FROM mail_quota');
    for (let i = 0; i < 2; i++) await success(team.invite({ email: newEmail(), role: 'viewer' }), 201);
    await used('2');
    expect(limited(await refusal(team.invite({ email: newEmail(), role: 'viewer' })))).toEqual([
      429,
      'mail_limit_reached',
      undefined,
    ]);
    const second = await team.user('owner');
    const answer = await success(team.invite({ email: newEmail(), role: 'viewer' }, second), 201);
    expect(answer.status).toBe(201);
    await used('50');
    expect(limited(await refusal(team.invite({ email: newEmail(), role: 'viewer' }, second)))).toEqual([
      429,
      'mail_limit_reached',
      undefined,
    ]);
  });

  it('is counted without addresses, and forgotten after a day', async () => {
    const { database, running } = world.service;
    expect(JSON.stringify(await database.sql('SELECT * FROM mail_quota'))).not.toMatch(/example|@/);
    await purgeThrottle(running.services.database, new Date(running.services.clock().getTime() + DAY));
    expect(await database.sql('SELECT FROM mail_quota')).toEqual([]);
  });

  it('turns no name into a link, including one from before the rules', async () => {
    const team = await world.tenant();
    const { database, running } = world.service;
    await database.sql('UPDATE tenant SET name = $1 WHERE id = $2', ['Win at https://evil.com\u202e!', team.id]);
    const key = await team.key(['admin']);
    await database.sql('UPDATE api_key SET name = $1 WHERE tenant_id = $2', [
      'www.evil.com\r\nBcc: all@evil.com',
      team.id,
    ]);
    await database.sql('UPDATE user_account SET name = $1 WHERE id = $2', ['security@evil.com', team.owner.id]);
    for (const as of [team.owner.as, key]) {
      const email = newEmail();
      await success(team.invite({ email, role: 'viewer', name: 'evil。com/reset' }, as), 201);
      const { subject, text, html, to } = await latestMail(running.services, email);
      const own = new RegExp(`https?://[^\\s"]*/invitation#token=[\\w-]+`, 'g');
      for (const part of [subject, text, html.replace(/<[^>]*>/g, ''), to.name ?? ''])
        expect(part.replace(own, '')).not.toMatch(/evil[.。]com|@|:\/\/|www\.|\u202e|\nBcc/);
    }
  });
});
