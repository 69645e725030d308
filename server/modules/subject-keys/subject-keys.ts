import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { seal, unseal } from '../../base/seal.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { findWrapped, insertWrapped, type Subject } from './store.ts';

interface Making {
  readonly environment: Environment;
  readonly now: Date;
}

/** The key of a subject that has none yet; of two that make it at once, the one that is kept is read afterwards. */
export function makeKey(tx: Transaction, subject: Subject, { environment, now }: Making): KeyObject {
  const key = randomBytes(32);
  insertWrapped(tx, { tenantId: tx.tenantId!, subjectType: subject.type, subjectId: subject.id, environment, wrapped: seal(tenantKey(tx), boundTo(subject), key), createdAt: now });
  return createSecretKey(key);
}

/** The key under which something is sealed; it is made when the subject has none. */
export async function sealingKey(tx: Transaction, subject: Subject, making: Making): Promise<KeyObject> {
  const found = await openingKey(tx, subject);
  if (found !== null) return found;
  makeKey(tx, subject, making);
  const kept = await openingKey(tx, subject);
  if (kept === null) throw new Error(`The key of the ${subject.type} ${subject.id} is destroyed`);
  return kept;
}

/** The key with which what was sealed is opened; null where nothing was sealed yet, and where it is destroyed. */
export async function openingKey(tx: Transaction, subject: Subject): Promise<KeyObject | null> {
  const wrapped = await findWrapped(tx, subject);
  return wrapped === null ? null : unwrapped(tx, subject, wrapped);
}

/** The key of a subject whose row another statement has read. */
export function unwrapped(tx: Transaction, subject: Subject, wrapped: Buffer): KeyObject {
  return createSecretKey(unseal(tenantKey(tx), boundTo(subject), wrapped));
}

function tenantKey(tx: Transaction): KeyObject {
  return createSecretKey(tx.tenantKey('subject-keys'));
}

function boundTo({ type, id }: Subject): string {
  return `${type} ${id}`;
}

/** A value of a row as it is kept, in a column of JSON. */
export interface Sealed {
  readonly sealed: string;
}

export function isSealedValue(value: object): value is Sealed {
  return 'sealed' in value && typeof value.sealed === 'string';
}

/** Files are sealed with keys of their own; so are rows. `place` is the table, the column and the row: elsewhere the value does not open. */
function rowKey(key: KeyObject): KeyObject {
  return createSecretKey(createHmac('sha256', key).update('rows').digest());
}

export function sealValue(key: KeyObject, place: string, value: object): Sealed {
  return sealBytes(key, place, Buffer.from(JSON.stringify(value)));
}

/** Seals a value that its caller has written already. */
export function sealBytes(key: KeyObject, place: string, bytes: Buffer): Sealed {
  return { sealed: seal(rowKey(key), place, bytes).toString('base64') };
}

/** Throws for what was changed, or sealed with another key or for another place. */
export function openValue(key: KeyObject, place: string, sealed: Sealed): unknown {
  return JSON.parse(openBytes(key, place, sealed).toString('utf8'));
}

/** What was sealed, as it was written. Throws like `openValue`. */
export function openBytes(key: KeyObject, place: string, { sealed }: Sealed): Buffer {
  return unseal(rowKey(key), place, Buffer.from(sealed, 'base64'));
}

/** What begins like this was sealed: no text that is taken in has a control character. */
const MARK = '\u0001';

export function sealText(key: KeyObject, place: string, text: string): string {
  return `${MARK}${seal(rowKey(key), place, text).toString('base64')}`;
}

/** Throws like `openValue`, and for what was sealed and has no key any more. */
export function openText(key: KeyObject | null, place: string, text: string): string {
  if (!text.startsWith(MARK)) return text;
  if (key === null) throw new Error(`The text at ${place} is sealed, and its key is gone`);
  return unseal(rowKey(key), place, Buffer.from(text.slice(MARK.length), 'base64')).toString('utf8');
}
