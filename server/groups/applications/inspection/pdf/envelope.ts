import { pdfHeaderOf } from '../format.ts';
import { corrupt } from '../refusal.ts';

const END = '%%EOF';
/** Beginnings of web pages, archives and programs. */
const OTHER_FORMATS = /<[a-z!?/]|PK\x03\x04|Rar!|7z\xbc\xaf|^(?:MZ|\x7fELF|#!|GIF8|\x89PNG|BM)/i;

/** A PDF ends with its marker. What stands before the header may be anything but another format. */
export function assertEnvelope(bytes: Buffer): void {
  if (OTHER_FORMATS.test(bytes.toString('latin1', 0, pdfHeaderOf(bytes)))) throw corrupt('Another format stands before the header of the PDF.');
  const end = bytes.lastIndexOf(END);
  if (end === -1) throw corrupt('The PDF is cut off: it ends without %%EOF.');
  if (!/^[\0\t\n\f\r \x1a]*$/.test(bytes.toString('latin1', end + END.length))) throw corrupt('Something follows the end of the PDF.');
}
