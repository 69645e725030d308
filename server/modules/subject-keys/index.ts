/**
 * Subject keys: data about a person is sealed under a key of its subject, and destroying that key destroys all of the
 * data. A subject is a record of another module, by its type and its id. Its key is random, wrapped by the key of the
 * tenant (which follows from the root secret) and bound to the subject, so that a row that is copied to another subject
 * or tenant opens nothing. A destroyed key cannot be replaced: the database refuses it.
 *
 * The module may use database and base, and no other module.
 *
 * An upload: applications requests the key of the application (`sealingKey`, which creates it the first time),
 * documents seals the bytes with it and stores them; a download requests the key (`openingKey`) and opens the stream.
 * An erasure calls `destroyKey`.
 */
import type { Module } from '../../tasks/module.ts';

export {
  isSealedValue,
  makeKey,
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
