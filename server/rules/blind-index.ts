/**
 * Finds rows by a value without storing it: an HMAC per tenant and field. Used by applications. The value must be
 * normalised first, or equal people are not found.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { BoundedMap } from '../base/bounded-map.ts';

type Field = 'tax_id' | 'email';

/**
 * Index by which rows can be found by a value that the index does not reveal: an HMAC under a key of the tenant and the
 * field, so equal values of two tenants look different.
 */
export class BlindIndex {
  readonly #root: KeyObject;
  /** Cache of prepared keys, because preparing a key costs several times the HMAC itself. */
  readonly #keys = new BoundedMap<string, KeyObject>(10_000);

  constructor(root: Buffer) {
    this.#root = createSecretKey(root);
  }

  mac(tenantId: string, field: Field, value: string): Buffer {
    return createHmac('sha256', this.#keyOf(tenantId, field)).update(value).digest();
  }

  #keyOf(tenantId: string, field: Field): KeyObject {
    const name = `${tenantId}\n${field}`;
    let key = this.#keys.get(name);
    if (key === undefined) {
      key = createSecretKey(createHmac('sha256', this.#root).update(name).digest());
      this.#keys.set(name, key);
    }
    return key;
  }
}
