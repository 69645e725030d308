import type { Letter } from './compose.ts';

/** Hands letters over to somebody who delivers them. */
export interface Mailer {
  /** Rejects with `MailRefused` or, when it may succeed later, with anything else. `id` stays the same in every attempt. */
  send(id: string, letter: Letter, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The other side has refused this letter for good. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** An attempt failed. The message says what the server answered in numbers: its words may repeat an address. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
  /** Nobody was reached, so the next letter would fare no better. */
  readonly isOutage: boolean;

  constructor(message: string, isOutage: boolean) {
    super(message);
    this.isOutage = isOutage;
  }
}
