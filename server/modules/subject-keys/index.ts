/**
 * Subject keys: what is kept about a person is sealed under a key of its subject, and destroying that key destroys all of it.
 *
 * A subject is a record of another module, by its kind and its id. Its key is random, wrapped by the key of the tenant (which follows from the
 * root secret) and bound to the subject, so that a row that is copied to another subject or tenant opens nothing. A destroyed key
 * does not come back: the database refuses it. The module may use database and base, and no other module.
 *
 * An upload: applications asks for the key of the application (`sealingKey`, which makes it the first time), documents seals the
 * bytes with it and stores them; a download asks for the key (`openingKey`) and opens the stream. An erasure calls `destroyKey`.
 */
import type { Module } from '../../tasks/module.ts';

export { isSealedValue, makeKey, openBytes, openingKey, openText, openValue, sealBytes, type Sealed, sealingKey, sealText, sealValue, unwrapped } from './subject-keys.ts';
export { openedRow, sealedRow } from './sealed-columns.ts';
export { destroyKey, subjectKey, wrappedKey } from './store.ts';

export const subjectKeysModule = { name: 'subject-keys' } satisfies Module<never>;
