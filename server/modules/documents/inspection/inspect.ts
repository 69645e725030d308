/**
 * This file decides whether an uploaded document is accepted. It runs in a process of its own (process.ts), because the files come from
 * strangers.
 */
import { createHash } from 'node:crypto';
import { Problem } from '../../../contract/problem.ts';
import { assertImageSize, assertNoForeignFormatInPicture, corrupt, type Format, formatOf, type ImageSize, isAlsoZip } from './checks.ts';
import { inspectJpeg } from './jpeg.ts';
import { inspectPdf } from './pdf/inspect-pdf.ts';
import { inspectPng } from './png.ts';
import { inspectWebp } from './webp.ts';

export interface Inspection {
  readonly mimeType: Format;
  /** The number of pages of a PDF; null for a picture. */
  readonly pageCount: number | null;
  /** The beginning of the file that is kept, if a tail was cut off. */
  readonly kept: { readonly size: number; readonly sha256: string } | null;
}

/** Media types that clients and storages send when they do not know the format; a part without a type is text/plain (RFC 7578 §4.4). */
const UNDECLARED: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/x-download', 'text/plain']);
const SYNONYMS: Readonly<Record<string, Format>> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg', 'image/x-png': 'image/png', 'application/x-pdf': 'application/pdf' };

interface Picture {
  readonly size: ImageSize;
  /** Where the picture ends, and a tail begins that is cut off. */
  readonly end: number;
}

const whole = (inspectSize: (bytes: Buffer) => ImageSize | Promise<ImageSize>) => async (bytes: Buffer): Promise<Picture> => ({ size: await inspectSize(bytes), end: bytes.length });

const IMAGES: Readonly<Record<Exclude<Format, 'application/pdf'>, (bytes: Buffer) => Picture | Promise<Picture>>> = {
  'image/jpeg': inspectJpeg, 'image/png': whole(inspectPng), 'image/webp': whole(inspectWebp),
};

/** Recognises a file by its content, and refuses one that is incomplete, damaged, active or two formats at once. */
export async function inspect(bytes: Buffer, declaredType: string): Promise<Inspection> {
  if (bytes.length === 0) throw new Problem('empty_file');
  const mimeType = formatOf(bytes);
  if (mimeType === null) throw new Problem('unsupported_file_type');
  const declared = (declaredType.split(';')[0] ?? '').trim().toLowerCase();
  if (!UNDECLARED.has(declared) && (SYNONYMS[declared] ?? declared) !== mimeType) throw new Problem('content_type_mismatch');
  if (isAlsoZip(bytes)) throw corrupt('The file is an archive as well.');
  if (mimeType === 'application/pdf') return { mimeType, pageCount: await inspectPdf(bytes), kept: null };
  const { size, end } = await IMAGES[mimeType](bytes);
  assertImageSize(size);
  assertNoForeignFormatInPicture(bytes);
  const kept = end === bytes.length ? null : { size: end, sha256: createHash('sha256').update(bytes.subarray(0, end)).digest('hex') };
  return { mimeType, pageCount: null, kept };
}
