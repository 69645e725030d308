import { assertNothingElse, assertOnlyNotes } from '../foreign.ts';
import { corrupt } from '../refusal.ts';

const HEADER = /^%PDF-[12]\.\d/;
const HEADER_BYTES = 8;
/** Browsers and others decide within so many bytes what a file is. */
const HEAD = 1024;
const END = '%%EOF';

/** A PDF begins with its header, ends with its marker, and its beginning is that of no other format. */
export function assertEnvelope(bytes: Buffer): void {
  if (!HEADER.test(bytes.toString('latin1', 0, HEADER_BYTES))) throw corrupt('Something stands before the header of the PDF. Save it anew.');
  assertOnlyNotes(bytes.subarray(HEADER_BYTES, HEAD));
  assertNothingElse(bytes);
  const end = bytes.lastIndexOf(END);
  if (end === -1) throw corrupt('The PDF is cut off: it ends without %%EOF.');
  if (!/^[\0\t\n\f\r \x1a]*$/.test(bytes.toString('latin1', end + END.length))) throw corrupt('Something follows the end of the PDF.');
}
