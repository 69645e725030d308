/**
 * This file decides whether an uploaded document is accepted. It runs in a process of its own (process.ts), because the files come from
 * strangers.
 */
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
}

/** Media types that clients send when they do not know the format; a part without a type is text/plain (RFC 7578 §4.4). */
const UNDECLARED: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'text/plain']);
const SYNONYMS: Readonly<Record<string, Format>> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg', 'image/x-png': 'image/png', 'application/x-pdf': 'application/pdf' };

const IMAGES: Readonly<Record<Exclude<Format, 'application/pdf'>, (bytes: Buffer) => ImageSize | Promise<ImageSize>>> = {
  'image/jpeg': inspectJpeg, 'image/png': inspectPng, 'image/webp': inspectWebp,
};

/** Recognises a file by its content, and refuses one that is incomplete, damaged, active or two formats at once. */
export async function inspect(bytes: Buffer, declaredType: string): Promise<Inspection> {
  if (bytes.length === 0) throw new Problem('empty_file');
  const mimeType = formatOf(bytes);
  if (mimeType === null) throw new Problem('unsupported_file_type');
  const declared = (declaredType.split(';')[0] ?? '').trim().toLowerCase();
  if (!UNDECLARED.has(declared) && (SYNONYMS[declared] ?? declared) !== mimeType) throw new Problem('content_type_mismatch');
  if (isAlsoZip(bytes)) throw corrupt('The file is an archive as well.');
  if (mimeType === 'application/pdf') return { mimeType, pageCount: await inspectPdf(bytes) };
  assertImageSize(await IMAGES[mimeType](bytes));
  assertNoForeignFormatInPicture(bytes);
  return { mimeType, pageCount: null };
}
