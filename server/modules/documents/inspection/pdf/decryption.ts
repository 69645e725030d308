/**
 * Decrypts PDFs that open without a password: the user password is empty, and encryption only forbids printing, copying
 * or changing (ISO 32000-2 §7.6, the standard security handler in all its revisions). PDFs that need a password are not
 * opened.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { bytesOf, isKind, nameOf, type PdfDictionary, type PdfValue } from './reader.ts';

/** Identifier of the object that contains an encrypted string or stream. */
export interface ObjectId {
  readonly number: number;
  readonly generation: number;
}

type Method = 'none' | 'rc4' | 'aes-128' | 'aes-256';

/** Decryption of strings and of stream data. */
export interface Decryption {
  readonly string: (objectId: ObjectId, bytes: Buffer) => Buffer;
  readonly stream: (objectId: ObjectId, bytes: Buffer) => Buffer;
}

/** Bytes that pad a shorter password and replace an empty one (ISO 32000-2, algorithm 2). */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const SALT = Buffer.from('sAlT', 'latin1');
const BLOCK = 16;
const KEY_LENGTHS = [16, 5];

const hashOf = (algorithm: string, ...parts: readonly Buffer[]): Buffer =>
  createHash(algorithm).update(Buffer.concat(parts)).digest();

/**
 * Returns the decryption with an empty password, or null if a password or a certificate is needed. `ids` are the first
 * identifiers of the trailers.
 */
export function decryptionOf(
  { entries }: PdfDictionary,
  ids: readonly Buffer[],
  resolve: (value: PdfValue | undefined) => PdfValue | undefined,
): Decryption | null {
  const get = (name: string): PdfValue | undefined => resolve(entries.get(name));
  const [version, revision] = [get('V'), get('R')];
  if (nameOf(get('Filter')) !== 'Standard' || typeof version !== 'number' || typeof revision !== 'number') return null;
  const [owner, user, userKey] = ['O', 'U', 'UE'].map((name) => stringIn(get(name)));
  if (owner === undefined || user === undefined) return null;
  const methods = version < 4 ? ({ stream: 'rc4', string: 'rc4' } as const) : methodsOf(get, resolve);
  if (methods === null) return null;
  const key =
    revision >= 5
      ? longKey(revision, user, userKey)
      : shortKey({
          revision,
          owner,
          user,
          ids,
          permissions: get('P'),
          length: get('Length'),
          hidesMetadata: !isFalse(get('EncryptMetadata')),
        });
  if (key === null || ![methods.stream, methods.string].every((method) => KEY_FITS[method](key.length))) return null;
  const opening = (method: Method) => (objectId: ObjectId, bytes: Buffer) => opened(method, key, objectId, bytes);
  return { string: opening(methods.string), stream: opening(methods.stream) };
}

function stringIn(value: PdfValue | undefined): Buffer | undefined {
  return isKind(value, 'string') ? bytesOf(value) : undefined;
}

function isFalse(value: PdfValue | undefined): boolean {
  return isKind(value, 'keyword') && value.text === 'false';
}

/**
 * Tests whether a key of a given size in bytes fits a method. The key of an object is five bytes longer, at most
 * sixteen.
 */
const KEY_FITS: Readonly<Record<Method, (size: number) => boolean>> = {
  'none': () => true,
  'rc4': () => true,
  'aes-128': (size) => size + 5 >= BLOCK,
  'aes-256': (size) => size === 32,
};

const METHODS: Readonly<Record<string, Method>> = {
  None: 'none',
  V2: 'rc4',
  AESV2: 'aes-128',
  AESV3: 'aes-256',
};

/** Returns the methods of the crypt filters of streams and strings (§7.6.6). */
function methodsOf(
  get: (name: string) => PdfValue | undefined,
  resolve: (value: PdfValue | undefined) => PdfValue | undefined,
): { readonly stream: Method; readonly string: Method } | null {
  const filters = get('CF');
  const methodOf = (use: string): Method | undefined => {
    const name = nameOf(get(use)) ?? 'Identity';
    if (name === 'Identity') return 'none';
    const filter = isKind(filters, 'dictionary') ? resolve(filters.entries.get(name)) : undefined;
    return isKind(filter, 'dictionary') ? METHODS[nameOf(resolve(filter.entries.get('CFM'))) ?? 'None'] : undefined;
  };
  const [stream, string] = [methodOf('StmF'), methodOf('StrF')];
  return stream === undefined || string === undefined ? null : { stream, string };
}

interface ShortKey {
  readonly revision: number;
  readonly owner: Buffer;
  readonly user: Buffer;
  readonly ids: readonly Buffer[];
  readonly permissions: PdfValue | undefined;
  readonly length: PdfValue | undefined;
  readonly hidesMetadata: boolean;
}

/**
 * Derives the key of revisions 2 to 4 (algorithms 2, 4 and 5). Writers disagree about which entry states its length, so
 * all lengths are tried, and the check of the password decides.
 */
function shortKey({ revision, owner, user, ids, permissions, length, hidesMetadata }: ShortKey): Buffer | null {
  if (typeof permissions !== 'number') return null;
  const flags = Buffer.alloc(4);
  flags.writeInt32LE(permissions | 0);
  const stated = typeof length === 'number' && length % 8 === 0 && length >= 40 && length <= 128 ? [length / 8] : [];
  for (const id of [...ids, Buffer.alloc(0)]) {
    for (const size of revision === 2 ? [5] : [...stated, ...KEY_LENGTHS]) {
      let key = hashOf(
        'md5',
        PADDING,
        owner.subarray(0, 32),
        flags,
        id,
        revision >= 4 && !hidesMetadata ? Buffer.alloc(4, 0xff) : Buffer.alloc(0),
      ).subarray(0, size);
      if (revision >= 3) for (let round = 0; round < 50; round++) key = hashOf('md5', key).subarray(0, size);
      if (isChecked(revision, key, id, user)) return key;
    }
  }
  return null;
}

function isChecked(revision: number, key: Buffer, id: Buffer, user: Buffer): boolean {
  if (revision === 2) return rc4(key, PADDING).equals(user.subarray(0, PADDING.length));
  let check = hashOf('md5', PADDING, id);
  for (let round = 0; round < 20; round++)
    check = rc4(
      key.map((byte) => byte ^ round),
      check,
    );
  return check.equals(user.subarray(0, check.length));
}

/** Derives the key of revisions 5 and 6 (algorithms 2.A and 11). The entry `U` is a check followed by two salts. */
function longKey(revision: number, user: Buffer, userKey: Buffer | undefined): Buffer | null {
  if (userKey === undefined || userKey.length < 32 || user.length < 48) return null;
  const hash = (salt: Buffer): Buffer => (revision === 5 ? hashOf('sha256', salt) : hardenedHash(salt));
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) return null;
  return aes('aes-256-cbc', hash(user.subarray(40, 48)), Buffer.alloc(BLOCK), userKey.subarray(0, 32));
}

/** Computes the hash of revision 6 (algorithm 2.B) for an empty password. */
function hardenedHash(salt: Buffer): Buffer {
  let key = hashOf('sha256', salt);
  for (let round = 1, last = 0; round <= 64 || last > round - 33; round++) {
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const block = cipher.update(Buffer.concat(Array.from({ length: 64 }, () => key)));
    const algorithm = ['sha256', 'sha384', 'sha512'][
      block.subarray(0, BLOCK).reduce((sum, byte) => sum + byte, 0) % 3
    ]!;
    key = hashOf(algorithm, block);
    last = block.at(-1)!;
  }
  return key.subarray(0, 32);
}

/** Decrypts bytes with the key of the file, or with a key derived from it for each object (algorithms 1 and 1.A). */
function opened(method: Method, key: Buffer, { number, generation }: ObjectId, bytes: Buffer): Buffer {
  if (method === 'none') return bytes;
  if (method === 'aes-256') return unchained('aes-256-cbc', key, bytes);
  const objectId = Buffer.of(number, number >> 8, number >> 16, generation, generation >> 8);
  const own = hashOf('md5', key, objectId, method === 'aes-128' ? SALT : Buffer.alloc(0)).subarray(
    0,
    Math.min(key.length + objectId.length, BLOCK),
  );
  return method === 'rc4' ? rc4(own, bytes) : unchained('aes-128-cbc', own, bytes);
}

/**
 * Decrypts AES data that start with their initialisation vector. Ignores bytes that do not fill a block, such as a line
 * end before `endstream`.
 */
function unchained(cipher: 'aes-128-cbc' | 'aes-256-cbc', key: Buffer, bytes: Buffer): Buffer {
  const blocks = Math.floor(bytes.length / BLOCK);
  return blocks < 2
    ? Buffer.alloc(0)
    : aes(cipher, key, bytes.subarray(0, BLOCK), bytes.subarray(BLOCK, BLOCK * blocks));
}

function aes(cipher: string, key: Buffer, vector: Buffer, bytes: Buffer): Buffer {
  return createDecipheriv(cipher, key, vector).setAutoPadding(false).update(bytes);
}

/** Decrypts RC4, which current cryptographic libraries omit because nothing new should be encrypted with it. */
function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
  }
  const out = Buffer.alloc(bytes.length);
  for (let at = 0, i = 0, j = 0; at < bytes.length; at++) {
    i = (i + 1) & 255;
    const moved = state[i]!;
    j = (j + moved) & 255;
    state[i] = state[j]!;
    state[j] = moved;
    out[at] = bytes[at]! ^ state[(state[i]! + moved) & 255]!;
  }
  return out;
}
