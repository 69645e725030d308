/**
 * Creates, finds and unwraps the key of a subject, and seals values with it. Called, through the index, by modules with
 * personal data. `sealingKey` throws if the key is destroyed; `openingKey` returns null, and the caller shows the
 * record as erased.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { seal, unseal } from '../../base/seal.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { findWrapped, insertWrapped, type Subject } from './store.ts';

interface Making {
  readonly environment: Environment;
  /** Time on either clock, because own lists have keys as well. */
  readonly now: Date;
}

/**
 * Creates the key of a subject that has none yet. If two transactions do so at once, the stored key must be read
 * afterwards.
 */
export function makeKey(tx: Transaction, subject: Subject, { environment, now }: Making): KeyObject {
  const key = randomBytes(32);
  insertWrapped(tx, {
    tenantId: tx.tenantId!,
    subjectType: subject.type,
    subjectId: subject.id,
    environment,
    wrapped: seal(tenantKey(tx), boundTo(subject), key),
    createdAt: now,
  });
  return createSecretKey(key);
}

/**
 * Record that keeps its wrapped key in its own row, so that whoever does not see the record does not see a key either.
 */
interface KeyOwner {
  readonly type: 'report';
  readonly id: string;
}

/** Creates the key of a record that keeps it in its own row, with the wrapped form to store. */
export function makeOwnKey(tx: Transaction, owner: KeyOwner): { readonly key: KeyObject; readonly wrapped: Buffer } {
  const key = randomBytes(32);
  return { key: createSecretKey(key), wrapped: seal(tenantKey(tx), boundTo(owner), key) };
}

/** Returns the key to seal with, and creates it if the subject has none. */
export async function sealingKey(tx: Transaction, subject: Subject, making: Making): Promise<KeyObject> {
  const found = await openingKey(tx, subject);
  if (found !== null) return found;
  makeKey(tx, subject, making);
  const stored = await openingKey(tx, subject);
  if (stored === null) throw new Error(`The key of the ${subject.type} ${subject.id} is destroyed`);
  return stored;
}

/** Returns the key to open with, or null if nothing was sealed yet or the key is destroyed. */
export async function openingKey(tx: Transaction, subject: Subject): Promise<KeyObject | null> {
  const wrapped = await findWrapped(tx, subject);
  return wrapped === null ? null : unwrapped(tx, subject, wrapped);
}

/** Unwraps the key of a subject or a record whose row another statement has read. */
export function unwrapped(tx: Transaction, subject: Subject | KeyOwner, wrapped: Buffer): KeyObject {
  return createSecretKey(unseal(tenantKey(tx), boundTo(subject), wrapped));
}

function tenantKey(tx: Transaction): KeyObject {
  return createSecretKey(tx.tenantKey('subject-keys'));
}

function boundTo({ type, id }: Subject | KeyOwner): string {
  return `${type} ${id}`;
}

/** Sealed value in a JSON column. */
export interface Sealed {
  readonly sealed: string;
}

export function isSealedValue(value: object): value is Sealed {
  return 'sealed' in value && typeof value.sealed === 'string';
}

/**
 * Derives the key for rows, because files have derived keys of their own. `context` is the table, the column and the
 * row, so that a value does not open elsewhere.
 */
function rowKey(key: KeyObject): KeyObject {
  return createSecretKey(createHmac('sha256', key).update('rows').digest());
}

export function sealValue(key: KeyObject, context: string, value: object): Sealed {
  return sealBytes(key, context, Buffer.from(JSON.stringify(value)));
}

/** Seals a value that the caller has serialised already. */
export function sealBytes(key: KeyObject, context: string, bytes: Buffer): Sealed {
  return { sealed: seal(rowKey(key), context, bytes).toString('base64') };
}

/** Opens a value. Throws if the value was changed, or sealed with another key or for another context. */
export function openValue(key: KeyObject, context: string, sealed: Sealed): unknown {
  return JSON.parse(openBytes(key, context, sealed).toString('utf8'));
}

/** Opens bytes in their original form. Throws like `openValue`. */
export function openBytes(key: KeyObject, context: string, { sealed }: Sealed): Buffer {
  return unseal(rowKey(key), context, Buffer.from(sealed, 'base64'));
}

/** Prefix of sealed texts. No accepted text contains a control character. */
const MARK = '\u0001';

export function sealText(key: KeyObject, context: string, text: string): string {
  return `${MARK}${seal(rowKey(key), context, text).toString('base64')}`;
}

/** Opens a text. Throws like `openValue`, and if a sealed text has no key any more. */
export function openText(key: KeyObject | null, context: string, text: string): string {
  if (!text.startsWith(MARK)) return text;
  if (key === null) throw new Error(`The text at ${context} is sealed, and its key is gone`);
  return unseal(rowKey(key), context, Buffer.from(text.slice(MARK.length), 'base64')).toString('utf8');
}
