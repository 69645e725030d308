import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BoundedMap } from '../http/bounded-map.ts';

const compress = promisify(gzip);

/** Below this size a compressed answer is not worth the trouble: it fits into one packet anyway. */
const WORTH_COMPRESSING = 1400;

/** Bytes to serve, with the validator that names exactly these bytes. */
export class Content {
  readonly type: string;
  readonly bytes: Buffer;
  readonly digest: string;
  #compressed: Promise<Buffer> | undefined;

  constructor(type: string, bytes: Buffer) {
    this.type = type;
    this.bytes = bytes;
    this.digest = digestOf(bytes);
  }

  get compressible(): boolean {
    return this.bytes.length >= WORTH_COMPRESSING;
  }

  /** Compressed once, at the first request that can use it. */
  compressed(): Promise<Buffer> {
    return (this.#compressed ??= compress(this.bytes));
  }
}

/** What is made for each request, such as a page: the same bytes are held, and compressed, once for all who ask for them. */
const made = new BoundedMap<string, Content>(32);

export function contentOf(type: string, text: string | Buffer): Content {
  const content = new Content(type, Buffer.from(text));
  const key = `${type} ${content.digest}`;
  const known = made.get(key);
  if (known === undefined) made.set(key, content);
  return known ?? content;
}

export function digestOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}
