/**
 * Calls that answer files, and reading them as a stream or to the disk. Used by the tree of operations. A file is read
 * once; a body that stalls or breaks fails instead of ending early.
 */
import { limit, onAbort, until } from './abort.ts';
import { failureOf, TimeoutError } from './errors.ts';
import { fileSystem } from './node.ts';
import type { Send } from './operation.ts';
import { numbersOf } from './options.ts';
import { ApiPromise } from './promise.ts';
import { ended } from './resume.ts';

/** `Uint8Array<ArrayBuffer>`, which has no type argument in TypeScript before 5.7. */
type Bytes = ReturnType<typeof Uint8Array.of>;

/** A file being downloaded. Read it once, by one of the methods below. */
export class Download {
  /** Response with its body unread. */
  readonly response: Response;
  readonly #read: () => ReadableStream<Uint8Array>;
  #stream: ReadableStream<Uint8Array> | undefined;

  /** @internal */
  constructor(response: Response, read: () => ReadableStream<Uint8Array>) {
    this.response = response;
    this.#read = read;
  }

  get contentType(): string | null {
    return this.response.headers.get('content-type');
  }

  /** Name from `Content-Disposition` (RFC 6266; the encoded form wins), or null. Never use it as a path unchecked. */
  get filename(): string | null {
    const header = this.response.headers.get('content-disposition') ?? '';
    const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
    if (encoded !== undefined) {
      try {
        return decodeURIComponent(encoded);
      } catch {
        /* It encodes nothing; the plain form is left. */
      }
    }
    return (
      /filename="((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replace(/\\(.)/g, '$1') ??
      /filename=([^;"\s]+)/i.exec(header)?.[1] ??
      null
    );
  }

  /** Bytes as they arrive, for files that should not be held in memory as a whole. */
  get stream(): ReadableStream<Uint8Array> {
    return (this.#stream ??= this.#read());
  }

  blob(): Promise<Blob> {
    return new Response(this.stream, { headers: this.response.headers }).blob();
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return new Response(this.stream).arrayBuffer();
  }

  async bytes(): Promise<Bytes> {
    return new Uint8Array(await this.arrayBuffer());
  }

  /**
   * Writes the file to `path` as it arrives (Node, Deno, Bun) and returns its size. The file gets that name only once
   * it is complete; a partial file is removed.
   */
  async saveTo(path: string): Promise<number> {
    const { open, rename, rm } = fileSystem();
    const part = `${path}.part`;
    let size = 0;
    try {
      const file = await open(part, 'w');
      try {
        for await (const chunk of this.stream) {
          await file.writeFile(chunk);
          size += chunk.length;
        }
      } finally {
        await file.close();
      }
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      // The disk may have failed before the first byte was read, and the connection must not wait for a reader.
      await this.stream.cancel().catch(() => undefined);
      throw error;
    }
    return size;
  }
}

/** Sends an operation that returns bytes; the promise resolves when the headers have arrived. */
export const downloadOf: Send = (transport, operation, input, reading) =>
  new ApiPromise(async (own) => {
    const { signal: above, ...options } = input.options ?? {};
    const controller = new AbortController();
    const { signal } = controller;
    // The signal above can end the download until the download is over; a signal that outlives many downloads must not
    // keep a listener of each.
    const leave = above && onAbort(above, () => controller.abort(above.reason));
    try {
      const { response } = await transport.answer(
        operation,
        { ...input, options: { ...options, signal } },
        reading ?? own,
        downloadOf,
      );
      const { idleTimeout } = numbersOf(options, transport.numbers);
      return {
        data: new Download(response, () =>
          limited(response, idleTimeout, signal, (failure) => {
            leave?.();
            return ended(failure, { effect: 2, key: null }, { how: downloadOf, operation, input });
          }),
        ),
        response,
      };
    } catch (failure) {
      leave?.();
      throw failure;
    }
  });

/** Reader of a body; a body of `node-fetch` is a stream of Node, which is only iterable. */
interface Source {
  readonly read: () => Promise<{ readonly done?: boolean; readonly value?: Uint8Array }>;
  readonly cancel: (reason?: unknown) => Promise<unknown>;
}

/**
 * Returns the body of a response as a stream that fails if nothing arrives for `idle` milliseconds, but not if nobody
 * reads. `over` maps its failure, if any.
 */
function limited(
  { body }: Response,
  idle: number,
  above: AbortSignal,
  over: (failure?: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const source = sourceOf(body);
  return new ReadableStream(
    {
      async pull(controller) {
        const { signal, end } = limit(
          idle,
          () => new TimeoutError(`Nothing of the file arrived for ${idle} ms`),
          above,
        );
        try {
          const { done, value } = await until(source.read(), signal);
          if (!done) {
            controller.enqueue(value!);
            return;
          }
          controller.close();
          over();
        } catch (error) {
          source.cancel().catch(() => undefined);
          throw over(failureOf(error, signal));
        } finally {
          end();
        }
      },
      cancel: async (reason) => {
        over();
        await source.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function sourceOf(body: Response['body']): Source {
  if (body === null) return { read: () => Promise.resolve({ done: true }), cancel: () => Promise.resolve() };
  if ('getReader' in body) return body.getReader();
  const stream = body as AsyncIterable<Uint8Array> & { readonly destroy: () => void };
  const iterator = stream[Symbol.asyncIterator]();
  return { read: () => iterator.next(), cancel: async () => stream.destroy() };
}
