/**
 * Subject keys: data about a person is encrypted (sealed) under a key of its subject, and destroying that key destroys
 * all of the data. A subject is a record of another module, identified by type and id. Its key is random, wrapped by
 * the key of the tenant (which is derived from the root secret) and bound to the subject, so that a key that is copied
 * to another subject or tenant decrypts nothing. After a key was destroyed, the database refuses a new key for the same
 * subject.
 *
 * The module may use database, base and the type `Module`, and no other module.
 *
 * Example, an upload: the module applications requests the key of the application (`sealingKey`, which creates it the
 * first time), documents seals the bytes with it and stores them. A download requests the key (`openingKey`) and opens
 * the stream. An erasure calls `destroyKey`.
 */
import type { Module } from '../../tasks/module.ts';

export {
  isSealedValue,
  makeKey,
  makeOwnKey,
  openBytes,
  openingKey,
  openText,
  openValue,
  sealBytes,
  type Sealed,
  sealingKey,
  sealText,
  sealValue,
  unwrapped,
} from './subject-keys.ts';
export { openedRow, sealedRow } from './sealed-columns.ts';
export { destroyKey, subjectKey, wrappedKey } from './store.ts';

export const subjectKeysModule = { name: 'subject-keys' } satisfies Module<never>;
