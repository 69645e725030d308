/**
 * Seals files in chunks and opens them as streams. Used for documents. A stream fails at the first changed chunk, so a
 * reader may have received correct bytes before the failure.
 */
import { type CipherKey, createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/**
 * Format of a file that is sealed in chunks, so that it can be opened as a stream and no byte is passed on before it
 * was authenticated: the construction STREAM (Hoang, Reyhanitabar, Rogaway and Vizár, 2015) with AES-256-GCM. A header
 * (mark and salt) precedes chunks of 64 KiB, each with its tag. The nonce of a chunk is its number and whether it is
 * the last one, so that no chunk can be left out, moved or cut off. Each file has a key of its own, derived by HKDF
 * from the passed key, the salt and `owner`, to whom the file belongs.
 */
const MARK = Buffer.from('sealed\0\x01', 'latin1');
const SALT_BYTES = 32;
const HEADER_BYTES = MARK.length + SALT_BYTES;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
/** Number of bytes that are sealed before other work of the event loop can run. */
const TURN_BYTES = 16 * CHUNK_BYTES;

function fileKey(key: KeyObject, salt: Uint8Array, owner: string): CipherKey {
  return Buffer.from(hkdfSync('sha256', key, salt, `file ${owner}`, 32));
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = Number(isLast);
  return nonce;
}

/** Tells whether these are the first bytes of a sealed file. No accepted file format begins with them. */
export function isSealed(beginning: Buffer): boolean {
  return beginning.subarray(0, MARK.length).equals(MARK);
}

export async function sealFile(key: KeyObject, owner: string, content: Uint8Array): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const own = fileKey(key, salt, owner);
  const parts: Buffer[] = [MARK, salt];
  for (let at = 0, index = 0; index === 0 || at < content.length; at += CHUNK_BYTES, index += 1) {
    if (at > 0 && at % TURN_BYTES === 0) await setImmediate();
    const cipher = createCipheriv('aes-256-gcm', own, nonceOf(index, at + CHUNK_BYTES >= content.length), {
      authTagLength: TAG_BYTES,
    });
    parts.push(cipher.update(content.subarray(at, at + CHUNK_BYTES)), cipher.final(), cipher.getAuthTag());
  }
  return Buffer.concat(parts);
}

/** Stream of the content of a sealed file. Fails at the first chunk that was changed. */
export class Unsealing extends Transform {
  readonly #key: KeyObject;
  readonly #owner: string;
  #own: CipherKey | null = null;
  #index = 0;
  #waiting = Buffer.alloc(0);

  constructor(key: KeyObject, owner: string) {
    super();
    this.#key = key;
    this.#owner = owner;
  }

  override _transform(data: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#waiting = Buffer.concat([this.#waiting, data]);
    try {
      this.#begin();
      // A further byte shows that a chunk is not the last one.
      while (this.#own !== null && this.#waiting.length > SEALED_CHUNK_BYTES) this.#open(SEALED_CHUNK_BYTES, false);
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      if (this.#own === null || this.#waiting.length < TAG_BYTES) throw new Error('the sealed file is truncated');
      this.#open(this.#waiting.length, true);
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  #begin(): void {
    if (this.#own !== null || this.#waiting.length < HEADER_BYTES) return;
    if (!isSealed(this.#waiting))
      throw new Error('the file is not sealed: it does not begin with the mark of a sealed file');
    this.#own = fileKey(this.#key, this.#waiting.subarray(MARK.length, HEADER_BYTES), this.#owner);
    this.#waiting = this.#waiting.subarray(HEADER_BYTES);
  }

  #open(length: number, isLast: boolean): void {
    const decipher = createDecipheriv('aes-256-gcm', this.#own!, nonceOf(this.#index, isLast), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(this.#waiting.subarray(length - TAG_BYTES, length));
    const content = Buffer.concat([decipher.update(this.#waiting.subarray(0, length - TAG_BYTES)), decipher.final()]);
    this.#waiting = this.#waiting.subarray(length);
    this.#index += 1;
    this.push(content);
  }
}
