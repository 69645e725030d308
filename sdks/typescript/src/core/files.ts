import { ComplianceOnboardingError } from './errors.ts';
import { fileSystem } from './node.ts';

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
 * The result is awaited by the transport, within the time limits of the call; the flat function only hands it on.
 */
export function withFiles<Body, Files extends keyof Body>(body: Upload<Body, Files>, names: readonly Files[]): Body {
  const ready = Promise.all(names.map(async (name) => [name, await toFile(body[name] as Uploadable)] as const))
    .then((files) => ({ ...body, ...Object.fromEntries(files) }) as Body);
  ready.catch(() => undefined); // Reported by the call that awaits it; a call aborted before that must not crash the program.
  return ready as Body;
}

/**
 * A file of the disk (Node, Deno, Bun). It takes a path and nothing else does: were a path an `Uploadable`, whoever can
 * choose what is uploaded could have any file sent.
 */
export async function fileFromPath(path: string, options: { readonly name?: string; readonly type?: string } = {}): Promise<File> {
  const name = options.name ?? path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return toFile({ name, data: await fileSystem().readFile(path), type: options.type });
}

export async function toFile(source: Uploadable): Promise<File> {
  if (source instanceof File) return source;
  const { name, data, type } = isNamed(source) ? source : { name: 'upload', data: source, type: undefined };
  const parts = await read(data);
  const inherited = data instanceof Blob ? data.type : '';
  return new File(parts, name, { type: type ?? (inherited || 'application/octet-stream') });
}

function isNamed(source: Uploadable): source is NamedFile {
  return isObject(source) && 'data' in source && 'name' in source;
}

async function read(data: Bytes): Promise<BlobPart[]> {
  if (data instanceof Blob || data instanceof ArrayBuffer) return [data];
  if (ArrayBuffer.isView(data)) return [data as Uint8Array<ArrayBuffer>];
  if (data instanceof ReadableStream) return [await new Response(data).blob()];
  if (!isObject(data) || !(Symbol.asyncIterator in data)) throw new ComplianceOnboardingError('A file must be a File, a Blob, bytes, or a stream of bytes');
  const parts: BlobPart[] = [];
  for await (const chunk of data) parts.push(chunk as Uint8Array<ArrayBuffer>);
  return parts;
}

/** Callers without types may hand over anything. */
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
