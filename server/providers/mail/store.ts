import { knex, sql, statement } from '../../database/index.ts';

type NewMail = { id: string; tenantId: string | null; template: string; recipientMac: Buffer; sealed: Buffer; now: Date };

export const insertMail = statement<NewMail>('mail.insert', (p) =>
  knex('mail_message').insert({
    id: p.id, tenant_id: p.tenantId, template: p.template, recipient_mac: p.recipientMac, sealed: p.sealed, created_at: p.now, next_attempt_at: p.now,
  }));

export interface MailRow {
  readonly id: string;
  readonly template: string;
  readonly created_at: string;
  readonly sealed: Buffer;
}

/** How many letters are shown, and how many are fetched at once for delivery. */
const SHOWN = 100;
export const BATCH = 20;

const LETTER = ['id', 'template', 'created_at', 'sealed'];

export const listRecent = statement<Record<never, never>, MailRow>('mail.recent', () =>
  knex('mail_message').select(LETTER).whereNotNull('sealed').orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id', order: 'desc' }]).limit(SHOWN));

export const findLatest = statement<{ recipientMac: Buffer }, MailRow>('mail.latest', (p) =>
  knex('mail_message').select(LETTER).where({ recipient_mac: p.recipientMac }).whereNotNull('sealed')
    .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id', order: 'desc' }]).limit(1));

export const findDue = statement<{ now: Date }, MailRow & { attempts: number }>('mail.due', (p) =>
  knex('mail_message').select(...LETTER, 'attempts').whereNotNull('sealed').where(sql`next_attempt_at <= ${p.now}`)
    .orderBy(['next_attempt_at', 'id']).limit(BATCH));

/** Once a letter has left, nothing of it stays. */
export const markDelivered = statement<{ id: string; now: Date }>('mail.delivered', (p) =>
  knex('mail_message').where({ id: p.id }).update({ delivered_at: p.now, sealed: null, attempts: sql`attempts + 1`, last_error: null }), { expectRows: 1 });

export const markFailed = statement<{ id: string; next: Date; error: string }>('mail.failed', (p) =>
  knex('mail_message').where({ id: p.id }).update({ attempts: sql`attempts + 1`, next_attempt_at: p.next, last_error: p.error }), { expectRows: 1 });

export const markGivenUp = statement<{ id: string; now: Date; error: string }>('mail.givenUp', (p) =>
  knex('mail_message').where({ id: p.id }).update({ attempts: sql`attempts + 1`, given_up_at: p.now, sealed: null, last_error: p.error }), { expectRows: 1 });

export const deleteOlder = statement<{ before: Date }>('mail.deleteOlder', (p) =>
  knex('mail_message').where(sql`created_at < ${p.before}`).del());
