/** Decodes a file and detects its encoding. Used by the readers. A file with too many damaged characters is refused. */
import { isAscii } from 'node:buffer';
import { type Bytes, SourceFileError } from './source-file.ts';

/**
 * Encoding of a file. `utf-8` reads a damaged character as U+FFFD, so that its field can be omitted; `strict-utf-8`
 * rejects it, if the sender of the file can correct it. `either` is for a publisher that changed from Windows-1252 to
 * UTF-8.
 */
export type Encoding = 'utf-8' | 'strict-utf-8' | 'windows-1252' | 'either';

/** Returns the text of a file, piece by piece. */
export async function* textOf(file: Bytes, encoding: Encoding): AsyncGenerator<string> {
  let decoder = encoding === 'either' ? null : decoderOf(encoding);
  let held: Uint8Array[] = [];
  let isEmpty = true;
  for await (const piece of file) {
    isEmpty &&= piece.length === 0;
    if (decoder !== null) yield decoder(piece);
    else if (held.length === 0 && isAscii(piece)) yield Buffer.from(piece).toString('latin1');
    else if (held.push(piece) && held.reduce((sum, { length }) => sum + length, 0) >= SAMPLE_BYTES) {
      yield (decoder = decoderOf(encodingOf(held)))(Buffer.concat(held));
      held = [];
    }
  }
  if (isEmpty) throw new SourceFileError('the file is empty');
  if (held.length > 0) yield (decoder = decoderOf(encodingOf(held)))(Buffer.concat(held));
  if (decoder !== null) yield decoder();
}

/** Sample size for detecting the encoding, counted from the first byte that is not ASCII. */
const SAMPLE_BYTES = 64 * 1024;

/** Detects the encoding. Multi-byte sequences that are valid in UTF-8 are hardly ever anything else. */
function encodingOf(held: readonly Uint8Array[]): Encoding {
  const several = new TextDecoder().decode(Buffer.concat(held), { stream: true }).match(NOT_ASCII) ?? [];
  return several.filter((sign) => sign === DAMAGED).length > several.length / 2 ? 'windows-1252' : 'utf-8';
}

const NOT_ASCII = /[^\u0000-\u007F]/g;

/** Replacement of bytes and characters that cannot be read. */
export const DAMAGED = '\uFFFD';

/**
 * Characters that no XML parser accepts and that are read as U+FFFD. U+001A, the end-of-file mark of DOS, may end a
 * piece.
 */
export const NO_TEXT = /[\u0000-\u0008\u000B\u000C\u000E-\u0019\u001B-\u001F\uFFFE\uFFFF]|\u001A(?!\s*$)/g;

/** Number of damaged characters that may be an accident. */
const MOST_ACCIDENTS = 32;

function decoderOf(encoding: Encoding): (piece?: Uint8Array) => string {
  const decoder = new TextDecoder(encoding === 'windows-1252' ? encoding : 'utf-8', {
    fatal: encoding === 'strict-utf-8',
  });
  let [damaged, whole] = [0, 0];
  return (piece) => {
    let text: string;
    try {
      text = piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      throw new SourceFileError('the file is not encoded in UTF-8');
    }
    if (encoding !== 'utf-8') return text;
    text = text.replace(NO_TEXT, DAMAGED);
    for (const sign of text.match(NOT_ASCII) ?? []) {
      if (sign === DAMAGED) damaged++;
      else whole++;
    }
    // A few damaged characters are omitted with their fields. More damaged than valid ones mean another encoding.
    if (damaged > Math.max(MOST_ACCIDENTS, whole)) throw new SourceFileError('the file is not encoded in UTF-8');
    return text;
  };
}
