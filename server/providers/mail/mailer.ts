/**
 * Hands a mail to an SMTP server. Used by deliver.ts. Without encryption it sends only to this machine. Errors contain
 * codes only, because words of a server may repeat an address.
 */
import { createTransport } from 'nodemailer';
import type { Recipient } from '../../base/config.ts';
import type { Letter } from './compose.ts';
import { assertAddress } from './recipient.ts';

/** Sends letters to a server that delivers them. */
export interface Mailer {
  /**
   * Rejects with `MailRefused`, or with any other error if a retry may succeed. `id` stays the same in every attempt.
   */
  send(id: string, letter: Letter, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The server has refused this letter permanently. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/**
 * A failed attempt. The message contains only the codes of the server's reply, because its words may repeat an address.
 */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
  /** Whether the server was not reached, so that the next letter would fail too. */
  readonly isOutage: boolean;

  constructor(message: string, isOutage: boolean) {
    super(message);
    this.isOutage = isOutage;
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const CONNECT_MILLISECONDS = 10_000;
const SILENCE_MILLISECONDS = 20_000;

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/**
 * Hands letters to an SMTP server (RFC 5321, RFC 6409): `smtps://` speaks TLS from the start (RFC 8314), `smtp://`
 * upgrades by STARTTLS and, to any other machine, sends nothing without it.
 */
export function smtpMailer(smtpUrl: string, from: Recipient): Mailer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const usualPort = secure ? 465 : 587;
  const sender = assertAddress(from.address);
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usualPort : Number(port),
    secure,
    requireTLS: !secure && !LOOPBACK.test(hostname),
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_MILLISECONDS,
    greetingTimeout: CONNECT_MILLISECONDS,
    socketTimeout: SILENCE_MILLISECONDS,
    // A letter is text: its content must not make this process read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(id, letter, signal) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
          from: { address: sender, name: from.name ?? '' },
          to: { address: assertAddress(letter.to.address), name: letter.to.name ?? '' },
          envelope: { from: sender, to: [letter.to.address] },
          subject: letter.subject,
          text: letter.text,
          html: letter.html,
          // RFC 3834 §5: asks for no automatic replies such as absence notes.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        });
      } catch (error) {
        throw explained(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

/** Classifies an error: a 5xx about this letter or its recipient is permanent; one about our own login is not. */
function explained({ code = 'ESEND', command = '', responseCode }: SmtpError): Error {
  const message = [code, responseCode, command].filter((part) => part !== undefined && part !== '').join(' ');
  const aboutLetter = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (aboutLetter && responseCode !== undefined && responseCode >= 500 && command !== 'MAIL FROM')
    return new MailRefused(message);
  return new MailNotSent(message, !aboutLetter);
}
