/**
 * Table `mail_message` and its statements. Used by outbox.ts and deliver.ts. Delivered mails lose their content at
 * once.
 */
import {
  bytes,
  type Fragment,
  type InsertOf,
  integer,
  type Parameter,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  uuid,
} from '../../database/index.ts';

const mailMessage = table(
  'mail_message',
  {
    id: uuid(),
    tenantId: uuid().nullable(),
    template: text(),
    recipientMac: bytes(),
    createdAt: timestamp(),
    // Null after the letter was delivered or given up.
    sealed: bytes().nullable().changes('the delivery of the letter succeeds, is retried or is given up'),
    nextAttemptAt: timestamp().changes('the delivery of the letter succeeds, is retried or is given up'),
    attempts: integer().defaulted().changes('the delivery of the letter succeeds, is retried or is given up'),
    lastError: text().nullable().defaulted().changes('the delivery of the letter succeeds, is retried or is given up'),
    deliveredAt: timestamp()
      .nullable()
      .defaulted()
      .changes('the delivery of the letter succeeds, is retried or is given up'),
    givenUpAt: timestamp()
      .nullable()
      .defaulted()
      .changes('the delivery of the letter succeeds, is retried or is given up'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'a letter in the outbox is sent whatever happens to its cause' },
    insertedBy: 'both',
    updatedBy: 'platform',
    example: { template: 't', sealed: Buffer.alloc(32) },
  },
);

export const insertMail = statement<InsertOf<typeof mailMessage>>('mail.insert', (p) => mailMessage.insert(p));

const letter = mailMessage.select('id', 'template', 'createdAt', 'sealed');
/** An undelivered letter, whose content is still stored. */
type MailRow = RowOf<typeof letter> & { readonly sealed: Buffer };
export type DueRow = MailRow & { readonly attempts: number };

/** Number of letters that are shown, and batch size of a delivery. */
const SHOWN = 100;
export const BATCH = 20;

export const listRecent = statement<Record<never, never>, MailRow>(
  'mail.recent',
  () => sql`
  SELECT ${letter} FROM mail_message WHERE sealed IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT ${SHOWN}`,
);

export const findLatest = statement<{ recipientMac: Buffer }, MailRow>(
  'mail.latest',
  (p) => sql`
  SELECT ${letter} FROM mail_message WHERE ${mailMessage.equal({ recipientMac: p.recipientMac })}
    AND sealed IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1`,
);

export const findDue = statement<{ now: Date }, DueRow>(
  'mail.due',
  (p) => sql`
  SELECT ${letter}, attempts FROM mail_message WHERE sealed IS NOT NULL AND next_attempt_at <= ${p.now}
    ORDER BY next_attempt_at, id LIMIT ${BATCH}`,
);

type Attempted = Omit<Parameters<typeof mailMessage.assign>[0], 'attempts'>;
const attempted = (id: Parameter<string>, outcome: Attempted): Fragment => sql`
  UPDATE mail_message SET ${mailMessage.assign({ ...outcome, attempts: sql`attempts + 1` })}
    WHERE ${mailMessage.equal({ id })}`;

/** Marks a letter as delivered and erases its content. */
export const markDelivered = statement<{ id: string; now: Date }>(
  'mail.delivered',
  (p) => attempted(p.id, { deliveredAt: p.now, sealed: null, lastError: null }),
  { expectRows: 1 },
);

export const markFailed = statement<{ id: string; next: Date; error: string }>(
  'mail.failed',
  (p) => attempted(p.id, { nextAttemptAt: p.next, lastError: p.error }),
  { expectRows: 1 },
);

export const markGivenUp = statement<{ id: string; now: Date; error: string }>(
  'mail.givenUp',
  (p) => attempted(p.id, { givenUpAt: p.now, sealed: null, lastError: p.error }),
  { expectRows: 1 },
);

export const deleteOlder = statement<{ before: Date }>(
  'mail.deleteOlder',
  (p) => sql`DELETE FROM mail_message WHERE created_at < ${p.before}`,
);
