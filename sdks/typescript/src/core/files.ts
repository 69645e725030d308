import { ComplianceError, ConnectionError } from './errors.ts';

type Bytes = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes with the name that the upload shall bear. */
export interface NamedFile {
  readonly name: string;
  readonly data: Bytes;
  /** Media type; the service recognises a document by its content and not by this. */
  readonly type?: string | undefined;
}

/** What a file member takes: a `File`, a `Blob`, a `Buffer` or other bytes, a stream, or any of these with a name. */
export type Uploadable = File | Bytes | NamedFile;

/** A multipart body whose members `Files` take any `Uploadable`. */
export type Upload<Body, Files extends keyof Body> = Omit<Body, Files> & { [Name in Files]: Uploadable };

/**
 * Turns the file members into `File` objects once, so that a retry sends the same bytes again. A stream is read to its
 * end for that reason; for a large file prefer a `Blob` (in Node `await fs.openAsBlob(path)`), which is read lazily.
 */
export function withFiles<Body, Files extends keyof Body>(body: Upload<Body, Files>, names: readonly Files[]): Promise<Body> {
  const ready = Promise.all(names.map(async (name) => [name, await toFile(body[name] as Uploadable)] as const))
    .then((files) => ({ ...body, ...Object.fromEntries(files) }) as Body);
  ready.catch(() => undefined); // Reported by the call that awaits it; a call aborted before that must not crash the program.
  return ready;
}

export async function toFile(source: Uploadable): Promise<File> {
  if (source instanceof File) return source;
  const { name, data, type } = isNamed(source) ? source : { name: 'upload', data: source, type: undefined };
  const parts = await read(data);
  const inherited = data instanceof Blob ? data.type : '';
  return new File(parts, name, { type: type ?? (inherited || 'application/octet-stream') });
}

function isNamed(source: Uploadable): source is NamedFile {
  return 'data' in source && 'name' in source;
}

async function read(data: Bytes): Promise<BlobPart[]> {
  if (data instanceof Blob || data instanceof ArrayBuffer) return [data];
  if (ArrayBuffer.isView(data)) return [data as Uint8Array<ArrayBuffer>];
  if (data instanceof ReadableStream) return [await new Response(data).blob()];
  if (!(Symbol.asyncIterator in data)) throw new ComplianceError('A file must be a File, a Blob, bytes, or a stream of bytes');
  const parts: BlobPart[] = [];
  for await (const chunk of data) parts.push(chunk as Uint8Array<ArrayBuffer>);
  return parts;
}

/** A file on its way down. Read it once, by one of the methods below. */
export class Download {
  /** The response, unread. */
  readonly response: Response;

  constructor(response: Response) {
    this.response = response;
  }

  get contentType(): string | null {
    return this.response.headers.get('content-type');
  }

  /** The name from `Content-Disposition` (RFC 6266; the encoded form wins), or null. Never use it as a path unchecked. */
  get filename(): string | null {
    const header = this.response.headers.get('content-disposition') ?? '';
    const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
    if (encoded !== undefined) return decodeURIComponent(encoded);
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
      throw new ConnectionError(error);
    }
  }
}
