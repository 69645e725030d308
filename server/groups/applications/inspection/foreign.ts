import { corrupt } from './refusal.ts';

/**
 * Beginnings of what other programs open wherever they find it: archives, programs, documents. Long enough not to stand by
 * chance in the metadata of a picture.
 */
const CONTAINER = /%PDF-|%!PS|PK\x03\x04|PK\x05\x06|Rar!\x1a\x07|7z\xbc\xaf\x27\x1c|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|\x7fELF|MSCF\0\0\0\0|\0asm\x01|\{\\rtf|This program cannot be run/;
/** What makes a browser, or an interpreter of web pages, take bytes for its own. Prefixed XML, as in XMP, is none of it. */
const MARKUP = /<(?:!doctype\s+(?:html|svg)|!entity|\?php|\?xml-stylesheet|(?:html|head|body|script|style|title|svg|iframe|frameset|object|embed|applet|img|link|meta|base|form|input|video|audio|math|table|div)(?=[\s/>]))/i;
/** Long enough not to stand by chance in fifteen megabytes of compressed pixels. */
const ANYWHERE = /%PDF-\d|<script[\s/>]|<html[\s/>]|<\?php\s|Rar!\x1a\x07|7z\xbc\xaf\x27\x1c|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/i;
/** Formats that are told by what stands at one place far from the beginning: tar and ISO 9660. */
const AT_A_PLACE = [[257, 'ustar'], [32_769, 'CD001'], [34_817, 'CD001'], [36_865, 'CD001']] as const;
/** Readers look for a PDF or a web page this far. */
const HEAD = 1024;

/** Comments, camera notes and the like may say anything but what another program would open or run. UTF-16 is read as well. */
export function assertOnlyNotes(notes: Buffer): void {
  const text = notes.toString('latin1');
  if (CONTAINER.test(text) || MARKUP.test(text.replaceAll('\0', ''))) throw corrupt('The file hides another format, or a script, in its notes.');
}

/** A picture is nothing else, wherever a lenient reader may begin to read. */
export function assertOnlyPicture(bytes: Buffer): void {
  const text = bytes.toString('latin1');
  if (ANYWHERE.test(text)) throw corrupt('The file hides another format.');
  assertOnlyNotes(bytes.subarray(0, HEAD));
  assertNothingElse(bytes);
}

export function assertNothingElse(bytes: Buffer): void {
  if (AT_A_PLACE.some(([offset, mark]) => bytes.toString('latin1', offset, offset + mark.length) === mark)) throw corrupt('The file is an archive as well.');
}
