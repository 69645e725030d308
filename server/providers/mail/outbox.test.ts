/** Tests of queueing mail in the transaction of its cause. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMail, latestMail, tokenIn } from '../../../test/support/mail.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { knex } from '../../database/index.ts';
import { type Mail, Outbox } from './index.ts';

let test: TestDatabase;
let tenantId: string;
let mail: Outbox;
let services: { mail: Outbox; database: TestDatabase['database'] };
beforeAll(async () => {
  test = await createTestDatabase();
  tenantId = await test.tenant();
  mail = new Outbox({ secrets: test.secrets, clock: () => new Date(), origin: () => 'https://example.com' });
  services = { mail, database: test.database };
});
afterAll(() => test.close());

const reset = (address: string, overrides: Partial<Extract<Mail, { template: 'passwordReset' }>> = {}): Mail => ({
  to: { address, name: 'Maria da Silva' },
  locale: 'en',
  template: 'passwordReset',
  values: { token: 'a_token', expiresAt: new Date('2026-11-22T12:30:00Z') },
  ...overrides,
});

describe('the outbox', () => {
  it('queues a letter in the transaction of its cause, with either database role', async () => {
    await test.database.transaction({ tenantId }, async (tx) => mail.queue(tx, reset('app@example.com')));
    await test.database.platform({ tenantId: null }, async (tx) => mail.queue(tx, reset('platform@example.com')));
    expect(tokenIn(await latestMail(services, 'app@example.com'))).toBe('a_token');
    expect(await latestMail(services, 'platform@example.com')).toMatchObject({
      template: 'passwordReset',
      subject: 'Set a new password',
      to: { address: 'platform@example.com', name: 'Maria da Silva' },
    });
    const rows = await test.sql<{ tenant_id: string | null }>('SELECT tenant_id FROM mail_message ORDER BY id');
    expect(rows.map((row) => row.tenant_id)).toEqual([tenantId, null]);
  });

  it('holds no letter whose cause was rolled back', async () => {
    const failing = test.database.transaction({ tenantId }, async (tx) => {
      mail.queue(tx, reset('nobody@example.com'));
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await findMail(services, 'nobody@example.com')).toBeNull();
  });

  it('finds the newest letter regardless of the case of the address', async () => {
    for (const token of ['first', 'second']) {
      await test.database.transaction({ tenantId }, async (tx) =>
        mail.queue(tx, reset('Again@Example.com', { values: { token, expiresAt: new Date() } })),
      );
    }
    expect(tokenIn(await latestMail(services, 'again@example.com'))).toBe('second');
  });

  it('stores nothing readable of the letter in the table', async () => {
    await test.database.transaction({ tenantId }, async (tx) => mail.queue(tx, reset('sealed@example.com')));
    const rows = await test.sql<{ row: string; sealed: Buffer }>(
      'SELECT to_jsonb(m) AS row, sealed FROM mail_message m',
    );
    const everything = rows.map(({ row, sealed }) => JSON.stringify(row) + sealed.toString('latin1')).join('\n');
    for (const secret of ['sealed@example.com', 'Maria', 'a_token']) expect(everything).not.toContain(secret);
  });

  it('does not open a letter that was moved to another row', async () => {
    const { id } = await latestMail(services, 'sealed@example.com');
    const [row] = await test.sql<{ sealed: Buffer }>('SELECT sealed FROM mail_message WHERE id = $1', [id]);
    expect(() => mail.seal.open(uuidv7(), row!.sealed)).toThrow();
  });

  it('lets a request queue letters for its own tenant only, and never read, change or remove one', async () => {
    const stranger = await test.tenant();
    const insert = (of: string) =>
      test.database.transaction({ tenantId }, (tx) =>
        tx.query(
          knex('mail_message').insert({
            id: uuidv7(),
            tenant_id: of,
            template: 'x',
            recipient_mac: Buffer.alloc(32),
            sealed: Buffer.alloc(1),
            created_at: new Date(),
            next_attempt_at: new Date(),
          }),
        ),
      );
    await expect(insert(stranger)).rejects.toThrow(/row-level security/);
    for (const query of [
      knex('mail_message').select('id'),
      knex('mail_message').update({ attempts: 9 }),
      knex('mail_message').del(),
    ]) {
      await expect(test.database.transaction({ tenantId }, (tx) => tx.query(query))).rejects.toThrow(
        /permission denied/,
      );
    }
  });

  it.each([
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com\n',
    'a b@example.com',
    '<a@example.com>',
    'a@example.com, b@example.com',
    'a@example.com\0',
    'example.com',
    '"a\r\n"@example.com',
  ])('refuses %j as an address', async (address) => {
    await expect(test.database.transaction({ tenantId }, async (tx) => mail.queue(tx, reset(address)))).rejects.toThrow(
      'must have the form name@host',
    );
  });
});
