/**
 * Mail is queued in the transaction of its cause and delivered by a job:
 *
 *   services.mail.queue(tx, { to: { address, name }, locale, template: 'passwordReset', values:
 *   { token, expiresAt } });
 *
 * If the transaction is rolled back there is no mail; once it is committed there is one,
 * whatever happens to the process.
 *
 * The provider owns the table `mail_message`, whose contents it encrypts, because links in a mail are credentials. It
 * may use the database and base, and no module.
 *
 * That call as an example: `outbox.ts` encrypts the values and inserts a row (`store.ts`). After the commit the job
 * `deliverMail` (`deliver.ts`) takes due rows, `compose.ts` writes text and HTML from the template in the recipient's
 * language (`templates/`), and `mailer.ts` hands the message to the SMTP server. A refusal for good ends the row; any
 * other failure is tried again later.
 */
export { localeOf, type Locale } from './compose.ts';
export { deliverMail, discardOldMail, type MailOutcome } from './deliver.ts';
export { smtpMailer, type Mailer } from './mailer.ts';
export { Outbox, type Mail, type QueuedLetter } from './outbox.ts';
export { assertAddress } from './recipient.ts';
