/**
 * What may be uploaded, and turning it into a `File`. Used by uploads; `fileFromPath` is for programs. A text is never
 * taken as a path, or a caller could make a server send any of its files.
 */
import { ComplianceOnboardingError } from './errors.ts';
import { fileSystem } from './node.ts';

type Bytes = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes with a file name for the upload. */
export interface NamedFile {
  readonly name: string;
  readonly data: Bytes;
  /** Media type; the service recognises a document by its content, not by this type. */
  readonly type?: string | undefined;
}

/** What a file member takes: a `File`, a `Blob`, a `Buffer` or other bytes, a stream, or any of these with a name. */
export type Uploadable = File | Bytes | NamedFile;

/** A multipart body whose members `Files` take any `Uploadable`. */
export type Upload<Body, Files extends keyof Body> = Omit<Body, Files> & {
  [Name in keyof Pick<Body, Files>]: Uploadable;
};

/**
 * Returns a file from the disk (Node, Deno, Bun). Only this function takes a path: if a path were an `Uploadable`,
 * anyone who controls the value of an upload could have any file sent.
 */
export async function fileFromPath(
  path: string,
  options: { readonly name?: string; readonly type?: string } = {},
): Promise<File> {
  return toFile({ name: options.name ?? lastPart(path), data: await fileSystem().readFile(path), type: options.type });
}

export async function toFile(source: Uploadable): Promise<File> {
  if (source instanceof File) return source;
  const { name, data, type }: Partial<NamedFile> & Pick<NamedFile, 'data'> = isNamed(source)
    ? source
    : { data: source };
  const parts = await read(data);
  const inherited = data instanceof Blob ? data.type : '';
  return new File(parts, name ?? nameOf(data), { type: type ?? (inherited || 'application/octet-stream') });
}

function isNamed(source: Uploadable): source is NamedFile {
  return isObject(source) && 'data' in source && 'name' in source;
}

/**
 * Returns the file name: a stream of Node has the `path` of its file, and a Blob of Bun has it as its `name`. The
 * folders are removed, because they may be private.
 */
function nameOf(source: object): string {
  const { name, path } = source as { readonly name?: unknown; readonly path?: unknown };
  const known = name ?? path;
  return (typeof known === 'string' && lastPart(known)) || 'upload';
}

function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

async function read(data: Bytes): Promise<BlobPart[]> {
  if (data instanceof Blob || data instanceof ArrayBuffer) return [data];
  if (ArrayBuffer.isView(data)) return [data as Uint8Array<ArrayBuffer>];
  if (data instanceof ReadableStream) return [await new Response(data).blob()];
  if (!isObject(data) || !(Symbol.asyncIterator in data))
    throw new ComplianceOnboardingError('A file must be a File, a Blob, bytes, or a stream of bytes');
  const parts: BlobPart[] = [];
  for await (const chunk of data) parts.push(chunk as Uint8Array<ArrayBuffer>);
  return parts;
}

/** Returns whether the value is an object; callers without types may pass anything. */
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
