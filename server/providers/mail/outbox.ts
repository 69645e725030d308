import { uuidv7, type Database, type Transaction } from '../../database/index.ts';
import type { Secrets } from '../../secrets.ts';
import { assertAddress, type Recipient } from './address.ts';
import { compose, penFor, type Letter } from './compose.ts';
import type { Locale } from './locale.ts';
import { plainName } from './plain-name.ts';
import { MailSeal } from './seal.ts';
import { findLatest, insertMail, listRecent } from './store.ts';
import { templates, type TemplateName, type ValuesOf } from './templates/index.ts';
import type { Template } from './templates/template.ts';

/** Something to say to somebody: a template and the values that it takes. */
export type Mail = {
  [T in TemplateName]: { readonly to: Recipient; readonly locale: Locale; readonly template: T; readonly values: ValuesOf<T> };
}[TemplateName];

/** A letter that has not been delivered. */
export interface QueuedLetter extends Letter {
  readonly id: string;
  readonly template: string;
  readonly queuedAt: string;
}

interface Parts {
  readonly secrets: Secrets;
  readonly clock: () => Date;
  /** The address of the service, as links name it. */
  readonly origin: () => string;
}

/** Where mail waits for its delivery: a table, so that it is sent if and only if its cause was committed. */
export class Outbox {
  readonly seal: MailSeal;
  readonly #clock: () => Date;
  readonly #origin: () => string;

  constructor({ secrets, clock, origin }: Parts) {
    this.seal = new MailSeal(secrets);
    this.#clock = clock;
    this.#origin = origin;
  }

  /** Within the transaction of the cause, of either role. Need not be awaited: a failure shows at COMMIT. */
  queue(tx: Transaction, { to, locale, template, values }: Mail): void {
    assertAddress(to.address);
    const now = this.#clock();
    const id = uuidv7();
    const content = (templates[template] as Template<unknown>)[locale](inWords(values), penFor(locale, this.#origin().replace(/\/+$/, '')));
    void tx.run(insertMail, {
      id, tenantId: tx.tenantId, template, recipientMac: this.seal.recipientMac(to.address), sealed: this.seal.seal(id, compose(content, to, locale)), now,
    });
  }

  /** The undelivered letters, newest first. */
  async recent(database: Database): Promise<readonly QueuedLetter[]> {
    const rows = await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(listRecent, {}));
    return rows.map(({ id, template, created_at, sealed }) => ({ ...this.seal.open(id, sealed), id, template, queuedAt: created_at }));
  }

  /** The newest undelivered letter to an address. */
  async latest(database: Database, address: string): Promise<QueuedLetter | null> {
    const recipientMac = this.seal.recipientMac(address);
    const [row] = await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(findLatest, { recipientMac }));
    return row === undefined ? null : { ...this.seal.open(row.id, row.sealed), id: row.id, template: row.template, queuedAt: row.created_at };
  }
}

/** Values that the service made up itself. Every other text was chosen by somebody who may want to say something else with it. */
const OWN = new Set(['token', 'ip']);

function inWords(values: object): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' && !OWN.has(name) ? plainName(value) : value as unknown]));
}
