/**
 * Decides whether an uploaded document is accepted. Runs in a separate process (process.ts), because files may be
 * hostile. Throws the problem that the client gets, if a file is refused.
 */
import { createHash } from 'node:crypto';
import { Problem } from '../../../contract/problem.ts';
import {
  assertImageSize,
  assertNoForeignFormatInPicture,
  corrupt,
  type Format,
  formatOf,
  type ImageSize,
  isAlsoZip,
} from './checks.ts';
import { inspectJpeg } from './jpeg.ts';
import { inspectPdf } from './pdf/inspect-pdf.ts';
import { inspectPng } from './png.ts';
import { inspectWebp } from './webp.ts';

export interface Inspection {
  readonly mimeType: Format;
  /** Number of pages of a PDF; null for a picture. */
  readonly pageCount: number | null;
  /** Size and hash of the part of the file to store if a tail is cut off; null if the whole file is stored. */
  readonly kept: { readonly size: number; readonly sha256: string } | null;
}

/**
 * Media types that clients and storages send for unknown formats. A part without a type is text/plain (RFC 7578 §4.4).
 */
const UNDECLARED: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'text/plain',
]);
const SYNONYMS: Readonly<Record<string, Format>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'application/x-pdf': 'application/pdf',
};

interface Picture {
  readonly size: ImageSize;
  /** Offset of the end of the picture. Bytes from there on are a tail, which is cut off. */
  readonly end: number;
}

const whole =
  (inspectSize: (bytes: Buffer) => ImageSize | Promise<ImageSize>) =>
  async (bytes: Buffer): Promise<Picture> => ({ size: await inspectSize(bytes), end: bytes.length });

const IMAGES: Readonly<Record<Exclude<Format, 'application/pdf'>, (bytes: Buffer) => Picture | Promise<Picture>>> = {
  'image/jpeg': inspectJpeg,
  'image/png': whole(inspectPng),
  'image/webp': whole(inspectWebp),
};

/**
 * Recognises a file by its content, and rejects a file that is incomplete, damaged, active or of two formats at once.
 */
export async function inspect(bytes: Buffer, declaredType: string): Promise<Inspection> {
  if (bytes.length === 0) throw new Problem('empty_file');
  const mimeType = formatOf(bytes);
  if (mimeType === null) throw new Problem('unsupported_file_type');
  const declared = (declaredType.split(';')[0] ?? '').trim().toLowerCase();
  if (!UNDECLARED.has(declared) && (SYNONYMS[declared] ?? declared) !== mimeType)
    throw new Problem('content_type_mismatch');
  if (isAlsoZip(bytes)) throw corrupt('The file is an archive as well.');
  if (mimeType === 'application/pdf') return { mimeType, pageCount: await inspectPdf(bytes), kept: null };
  const { size, end } = await IMAGES[mimeType](bytes);
  assertImageSize(size);
  assertNoForeignFormatInPicture(bytes);
  const kept =
    end === bytes.length
      ? null
      : { size: end, sha256: createHash('sha256').update(bytes.subarray(0, end)).digest('hex') };
  return { mimeType, pageCount: null, kept };
}
