/**
 * Checks that all formats of documents share: which format a file has, whether another format or a script hides in it,
 * and whether a picture has a usable size. Used by the inspection of each format. Throws the problem that the client
 * gets.
 */
import type { components } from '../../../contract/generated/types.ts';
import { Problem } from '../../../contract/problem.ts';

/** Creates the problem `corrupt_file` (422), with a sentence that helps to find the damage. */
export function corrupt(detail: string): Problem {
  return new Problem('corrupt_file', { detail });
}

export type Format = components['schemas']['Document']['mimeType'];

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Number of bytes at the start of a file within which readers accept a PDF header (ISO 32000-1, annex H.3.4.1). */
const PDF_HEADER_WITHIN = 1024;

/** Recognises the format by its magic bytes and not by the file name. Returns null for an unsupported format. */
export function formatOf(bytes: Buffer): Format | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return bytes.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-') ? 'application/pdf' : null;
}

/**
 * Signatures of archives, programs and documents that other software finds anywhere in a file. They are long enough not
 * to occur by chance in the metadata of a picture.
 */
const CONTAINER =
  /%PDF-|%!PS|PK\x03\x04|PK\x05\x06|Rar!\x1a\x07|7z\xbc\xaf\x27\x1c|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|\x7fELF|MSCF\0\0\0\0|\0asm\x01|\{\\rtf|This program cannot be run/;
/**
 * Markup by which a browser or PHP takes bytes for a web page or a script. XML with prefixes, as in XMP
 * metadata, does not match.
 */
const MARKUP =
  /<(?:!doctype\s+(?:html|svg)|!entity|\?php|\?xml-stylesheet|(?:html|head|body|script|style|title|svg|iframe|frameset|object|embed|applet|img|link|meta|base|form|input|video|audio|math|table|div)(?=[\s/>]))/i;
/** Signatures that are long enough not to occur by chance in fifteen megabytes of compressed pixels. */
const ANYWHERE =
  /%PDF-\d|<script[\s/>]|<html[\s/>]|<\?php\s|Rar!\x1a\x07|7z\xbc\xaf\x27\x1c|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/i;
/** Signatures at fixed offsets far from the start of a file: tar and ISO 9660. */
const SIGNATURES_AT_OFFSETS = [
  [257, 'ustar'],
  [32_769, 'CD001'],
  [34_817, 'CD001'],
  [36_865, 'CD001'],
] as const;
/** Number of bytes at the start of a file in which readers look for the signature of a PDF or a web page. */
const HEAD = 1024;

/** Rejects metadata (comments, camera data and the like) that another program would open or run, even in UTF-16. */
export function assertNoForeignFormatInMetadata(notes: Buffer): void {
  const text = notes.toString('latin1');
  if (CONTAINER.test(text) || MARKUP.test(text.replaceAll('\0', '')))
    throw corrupt('The file hides another format, or a script, in its notes.');
}

/**
 * Signatures at the start of other pictures, archives, programs, sounds and databases. Some are short, so they count
 * only at the start.
 */
const BEGINNING =
  /^(?:\0\0\x01\0|[\0\t\n\r ]*(?:PK|\x1f\x8b|BZh|\xfd7zXZ|\x89PNG|GIF8|RIFF|FORM|II\*\0|MM\0\*|BM|8BPS|MZ|\xca\xfe\xba\xbe|\xcf\xfa\xed\xfe|\xce\xfa\xed\xfe|ID3|OggS|fLaC|\x1a\x45\xdf\xa3|FLV|SQLite format|#!|!<arch>))/;
const VIDEO = /\0\0\0[\x08-\x40]ftyp/;
const OTHER_PICTURE = /\x89PNG\r\n\x1a\n|GIF8[79]a|RIFF[^]{4}(?:WEBP|AVI |WAVE)/;

/** Rejects bytes after the end of a picture if another program would open them. */
export function assertNoForeignFormatInTail(tail: Buffer): void {
  const text = tail.toString('latin1');
  if (VIDEO.test(text))
    throw corrupt('A video follows the picture, as in a motion photo: send the still picture alone.');
  if (
    BEGINNING.test(text) ||
    OTHER_PICTURE.test(text) ||
    CONTAINER.test(text) ||
    MARKUP.test(text.replaceAll('\0', ''))
  )
    throw corrupt('Another format follows the end of the picture. Save the picture anew, without it.');
}

/** Rejects a picture that a lenient reader, which may start to read anywhere, takes for another format. */
export function assertNoForeignFormatInPicture(bytes: Buffer): void {
  const text = bytes.toString('latin1');
  if (ANYWHERE.test(text)) throw corrupt('The file hides another format.');
  assertNoForeignFormatInMetadata(bytes.subarray(0, HEAD));
  assertNoSecondFormat(bytes);
}

export function assertNoSecondFormat(bytes: Buffer): void {
  if (SIGNATURES_AT_OFFSETS.some(([offset, mark]) => bytes.toString('latin1', offset, offset + mark.length) === mark))
    throw corrupt('The file is an archive as well.');
}

const END_OF_CENTRAL_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1');
const CENTRAL_DIRECTORY_ENTRY = 'PK\x01\x02';
const ZIP64_LOCATOR = 'PK\x06\x07';
const LOCATOR_BYTES = 20;
const RECORD_BYTES = 22;
/** Number of bytes at the end in which archivers look for the end record, before a comment (ZIP APPNOTE 4.3.16). */
const SEARCHED = RECORD_BYTES + 0xffff;

/** Returns whether an archiver would open the file as a ZIP, even if it is hidden inside a valid picture or PDF. */
export function isAlsoZip(bytes: Buffer): boolean {
  const from = Math.max(0, bytes.length - SEARCHED);
  for (
    let at = bytes.lastIndexOf(END_OF_CENTRAL_DIRECTORY);
    at >= from;
    at = at === 0 ? -1 : bytes.lastIndexOf(END_OF_CENTRAL_DIRECTORY, at - 1)
  ) {
    if (at + RECORD_BYTES > bytes.length) continue;
    // Some archivers expect the directory directly before its end record, others at the offset in the record. ZIP64
    // adds a locator.
    if (
      hasSignatureAt(bytes, at - bytes.readUInt32LE(at + 12), CENTRAL_DIRECTORY_ENTRY) ||
      hasSignatureAt(bytes, bytes.readUInt32LE(at + 16), CENTRAL_DIRECTORY_ENTRY)
    )
      return true;
    if (hasSignatureAt(bytes, at - LOCATOR_BYTES, ZIP64_LOCATOR)) return true;
  }
  return false;
}

function hasSignatureAt(bytes: Buffer, offset: number, signature: string): boolean {
  return offset >= 0 && bytes.toString('latin1', offset, offset + signature.length) === signature;
}

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const LONG_SIDE = 600;
const SHORT_SIDE = 400;
const PIXELS = 50_000_000;

/** Rejects a picture below 600×400 in either orientation, because text must be readable, or above 50 megapixels. */
export function assertImageSize(size: ImageSize): void {
  const { width, height } = size;
  if (Math.max(width, height) < LONG_SIDE || Math.min(width, height) < SHORT_SIDE) throw new Problem('image_too_small');
  assertPixels(size);
}

export function assertPixels({ width, height }: ImageSize): void {
  if (width * height > PIXELS) throw new Problem('image_too_large');
}
