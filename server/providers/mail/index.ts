/**
 * Mail is queued in the transaction of its cause and delivered by a job:
 *
 *   services.mail.queue(tx, { to: { address, name }, locale, template: 'passwordReset', values: { token, expiresAt } });
 *
 * If the transaction is rolled back there is no mail; once it is committed there is one, whatever happens to the process.
 */
export { Outbox, type Mail, type QueuedLetter } from './outbox.ts';
export { localeOf, type Locale } from './compose.ts';
export { deliverMail, discardOldMail, type MailOutcome } from './deliver.ts';
export type { Mailer } from './mailer.ts';
export { smtpMailer } from './mailer.ts';
