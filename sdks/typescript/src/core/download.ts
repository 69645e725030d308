import { failureOf } from './errors.ts';
import { fileSystem } from './node.ts';
import type { RequestOptions } from './options.ts';
import { ApiPromise } from './promise.ts';
import type { Invoke, Operation, Transport } from './transport.ts';

/** A file on its way down. Read it once, by one of the methods below. */
export class Download {
  /** The response, unread. */
  readonly response: Response;
  readonly #signal: AbortSignal | undefined;

  /** @param signal ends it */
  constructor(response: Response, signal?: AbortSignal) {
    this.response = response;
    this.#signal = signal;
  }

  get contentType(): string | null {
    return this.response.headers.get('content-type');
  }

  /** The name from `Content-Disposition` (RFC 6266; the encoded form wins), or null. Never use it as a path unchecked. */
  get filename(): string | null {
    const header = this.response.headers.get('content-disposition') ?? '';
    const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
    if (encoded !== undefined) {
      try {
        return decodeURIComponent(encoded);
      } catch { /* It encodes nothing; the plain form is left. */ }
    }
    return /filename="((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replace(/\\(.)/g, '$1') ?? /filename=([^;"\s]+)/i.exec(header)?.[1] ?? null;
  }

  /** The bytes as they arrive, for files that should not stand in memory whole. */
  get stream(): ReadableStream<Uint8Array> {
    return this.response.body ?? new ReadableStream({ start: (controller) => controller.close() });
  }

  blob(): Promise<Blob> {
    return this.#whole(this.response.blob());
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#whole(this.response.arrayBuffer());
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }

  async #whole<T>(body: Promise<T>): Promise<T> {
    try {
      return await body;
    } catch (error) {
      throw failureOf(error, this.#signal);
    }
  }

  /**
   * Writes the file to `path` as it arrives (Node, Deno, Bun) and tells its size. It bears that name only once it is whole;
   * what arrived of one that breaks off is removed.
   */
  async saveTo(path: string): Promise<number> {
    const { open, rename, rm } = fileSystem();
    const part = `${path}.part`;
    let size = 0;
    try {
      const file = await open(part, 'w');
      try {
        for await (const chunk of this.#chunks()) {
          await file.writeFile(chunk);
          size += chunk.length;
        }
      } finally {
        await file.close();
      }
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      // The disk may have refused before the first byte was read: the connection is not to wait for a reader.
      await this.response.body?.cancel().catch(() => undefined);
      throw error;
    }
    return size;
  }

  async *#chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* this.stream;
    } catch (error) {
      throw failureOf(error, this.#signal);
    }
  }
}

/** Sends an operation that answers bytes; it resolves at the headers. */
export function downloadOf(transport: Transport, operation: Operation, options: RequestOptions | undefined, invoke: Invoke): ApiPromise<Download> {
  const answer = transport.answer({ ...operation, binary: true }, options, invoke);
  return new ApiPromise(answer.then(({ response }) => ({ data: new Download(response, options?.signal), response })));
}
