import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { seal, unseal } from '../../base/seal.ts';
import type { Secrets } from '../../base/secrets.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { destroyWrapped, findWrapped, insertWrapped, type Subject } from './store.ts';

/** The keys of all subjects of the tenant of a transaction. */
export class SubjectKeys {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** The key under which something new is sealed; it is made when the subject has none. */
  async sealingKey(tx: Transaction, subject: Subject, { environment, now }: { readonly environment: Environment; readonly now: Date }): Promise<KeyObject> {
    const found = await findWrapped(tx, subject);
    if (found !== null) return this.#unwrapped(tx, subject, found);
    const wrapped = seal(this.#tenantKey(tx), boundTo(subject), randomBytes(32));
    insertWrapped(tx, { tenantId: tx.tenantId!, subjectType: subject.type, subjectId: subject.id, environment, wrapped, createdAt: now });
    const key = await this.openingKey(tx, subject);
    if (key === null) throw new Error(`The key of the ${subject.type} ${subject.id} is destroyed`);
    return key;
  }

  /** The key with which what was sealed is opened; null where nothing was sealed yet, and where it is destroyed. */
  async openingKey(tx: Transaction, subject: Subject): Promise<KeyObject | null> {
    const wrapped = await findWrapped(tx, subject);
    return wrapped === null ? null : this.#unwrapped(tx, subject, wrapped);
  }

  /** From now on nothing that was sealed under it can be read, wherever a copy of it lies. */
  destroyKey(tx: Transaction, subject: Subject, now: Date): void {
    destroyWrapped(tx, subject, now);
  }

  #unwrapped(tx: Transaction, subject: Subject, wrapped: Buffer): KeyObject {
    return createSecretKey(unseal(this.#tenantKey(tx), boundTo(subject), wrapped));
  }

  #tenantKey(tx: Transaction): KeyObject {
    return createSecretKey(this.#secrets.deriveKey(`subject-keys ${tx.tenantId!}`));
  }
}

function boundTo({ type, id }: Subject): string {
  return `${type} ${id}`;
}
