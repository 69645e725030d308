/**
 * Queues mail in the transaction of its cause, sealed. Called by modules. No mail leaves without a commit, and no
 * content is readable in the table.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Recipient } from '../../base/config.ts';
import { seal, unseal } from '../../base/seal.ts';
import type { Secrets } from '../../base/secrets.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { Database, Transaction } from '../../database/index.ts';
import { compose, type Letter, type Locale, type Template, templateContext } from './compose.ts';
import { assertAddress, plainName } from './recipient.ts';
import { findLatest, insertMail, listRecent } from './store.ts';
import { type TemplateName, templates, type ValuesOf } from './templates/index.ts';

/** Seals letters in the table, because they hold names, addresses and tokens. Each seal is bound to its row. */
class MailSeal {
  readonly #cipherKey: KeyObject;
  readonly #indexKey: KeyObject;

  constructor(secrets: Secrets) {
    this.#cipherKey = createSecretKey(secrets.deriveKey('mail-cipher'));
    this.#indexKey = createSecretKey(secrets.deriveKey('mail-recipient-index'));
  }

  seal(id: string, letter: Letter): Buffer {
    return seal(this.#cipherKey, id, JSON.stringify(letter));
  }

  open(id: string, sealed: Buffer): Letter {
    return JSON.parse(unseal(this.#cipherKey, id, sealed).toString()) as Letter;
  }

  /** Returns an index of an address, which finds its mail without storing the address. */
  recipientMac(address: string): Buffer {
    return createHmac('sha256', this.#indexKey).update(address.normalize('NFC').toLowerCase()).digest();
  }
}

/** A mail to queue: a template, its values and the recipient. */
export type Mail = {
  [T in TemplateName]: {
    readonly to: Recipient;
    readonly locale: Locale;
    readonly template: T;
    readonly values: ValuesOf<T>;
  };
}[TemplateName];

/** A letter that has not been delivered. */
export interface QueuedLetter extends Letter {
  readonly id: string;
  readonly template: string;
  readonly queuedAt: string;
}

interface OutboxDependencies {
  readonly secrets: Secrets;
  readonly clock: () => Date;
  /** Base URL of the service in links. */
  readonly origin: () => string;
}

/** Queue of mail in a table, so that mail is sent if and only if its cause was committed. */
export class Outbox {
  readonly seal: MailSeal;
  readonly #clock: () => Date;
  readonly #origin: () => string;

  constructor({ secrets, clock, origin }: OutboxDependencies) {
    this.seal = new MailSeal(secrets);
    this.#clock = clock;
    this.#origin = origin;
  }

  /**
   * Queues a mail within the transaction of its cause, with either database role. Need not be awaited: a failure shows
   * at COMMIT.
   */
  queue(tx: Transaction, { to, locale, template, values }: Mail): void {
    assertAddress(to.address);
    const now = this.#clock();
    const id = uuidv7();
    const content = (templates[template] as Template<unknown>)[locale](
      withPlainNames(values),
      templateContext(locale, this.#origin().replace(/\/+$/, '')),
    );
    void tx.run(insertMail, {
      id,
      tenantId: tx.tenantId,
      template,
      recipientMac: this.seal.recipientMac(to.address),
      sealed: this.seal.seal(id, compose(content, to, locale)),
      createdAt: now,
      nextAttemptAt: now,
    });
  }

  /** Returns the undelivered letters, newest first. */
  async recent(database: Database): Promise<readonly QueuedLetter[]> {
    const rows = await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(listRecent, {}));
    return rows.map(({ id, template, createdAt, sealed }) => ({
      ...this.seal.open(id, sealed),
      id,
      template,
      queuedAt: createdAt,
    }));
  }

  /** Returns the newest undelivered letter to an address. */
  async latest(database: Database, address: string): Promise<QueuedLetter | null> {
    const recipientMac = this.seal.recipientMac(address);
    const [row] = await database.platform({ tenantId: null, readOnly: true }, (tx) =>
      tx.run(findLatest, { recipientMac }),
    );
    return row === undefined
      ? null
      : {
          ...this.seal.open(row.id, row.sealed),
          id: row.id,
          template: row.template,
          queuedAt: row.createdAt,
        };
  }
}

/**
 * Values that the service created itself. All other texts were chosen by users, who may try to place links or messages
 * in them.
 */
const SERVICE_VALUES = new Set(['token', 'ip']);

function withPlainNames(values: object): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && !SERVICE_VALUES.has(name) ? plainName(value) : (value as unknown),
    ]),
  );
}
