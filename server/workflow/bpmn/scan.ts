/** Guards the parser: decodes a file, and refuses declarations, sizes and depths that only an attack has. */
import { error, type Finding } from '../finding.ts';

/** Limits of a file, checked before it is parsed, because parsing a hostile file takes seconds. */
export const MAX_BYTES = 512 * 1024;
const MAX_DEPTH = 64;
const MAX_ELEMENTS = 5000;
const MAX_ATTRIBUTE = 8192;

/** Text of a file that may be parsed, or why it may not. */
export type Scanned = { readonly text: string } | { readonly refused: Finding };

const refuse = (code: Finding['code'], message: string): Scanned => ({ refused: error(code, null, message) });

/** Decodes a file by its byte order mark or its XML declaration, and refuses what must not reach the parser. */
export function scan(bytes: Uint8Array): Scanned {
  if (bytes.length > MAX_BYTES) return refuse('xml_too_large', `The file is larger than ${MAX_BYTES / 1024} KiB.`);
  const text = decoded(bytes);
  if (text === null) return refuse('xml_encoding', 'The file is not in the encoding that it declares.');
  if (/<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i.test(text)) {
    return refuse('xml_forbidden_declaration', 'The file declares a document type or an entity.');
  }
  return tooMuch(text) ?? { text };
}

const UTF16_MARKS = [
  { mark: [0xff, 0xfe], label: 'utf-16le' },
  { mark: [0xfe, 0xff], label: 'utf-16be' },
];

function decoded(bytes: Uint8Array): string | null {
  const marked = UTF16_MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1];
  try {
    const text = new TextDecoder(marked?.label ?? declared ?? 'utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return null;
    // The text is decoded, so the declaration of its encoding no longer holds.
    return text.replace(/^\s*<\?xml[^>]*\?>/, '<?xml version="1.0" encoding="UTF-8"?>');
  } catch {
    return null;
  }
}

/** Walks over the tags once, without building anything, and returns the first limit that is exceeded. */
function tooMuch(text: string): Scanned | null {
  let [depth, elements, at] = [0, 0, 0];
  for (at = text.indexOf('<', at); at >= 0; at = text.indexOf('<', at)) {
    const skipped = skip(text, at);
    if (skipped !== null) {
      if (skipped < 0) return refuse('xml_malformed', 'A comment, instruction or section is not closed.');
      at = skipped;
      continue;
    }
    const end = endOfTag(text, at);
    if (end === 'long') return refuse('xml_attribute_too_long', `An attribute is longer than ${MAX_ATTRIBUTE}.`);
    if (end === 'open') return refuse('xml_malformed', 'A tag is not closed.');
    if (text[at + 1] === '/') depth -= 1;
    else {
      elements += 1;
      if (text[end - 1] !== '/') depth += 1;
    }
    if (depth > MAX_DEPTH) return refuse('xml_too_deep', `Elements are nested more than ${MAX_DEPTH} deep.`);
    if (elements > MAX_ELEMENTS) return refuse('xml_too_many_elements', `More than ${MAX_ELEMENTS} elements.`);
    at = end + 1;
  }
  return null;
}

/** Returns the position after a comment, a section or an instruction; −1 if it is not closed; null for a tag. */
function skip(text: string, at: number): number | null {
  for (const [begin, close] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ] as const) {
    if (!text.startsWith(begin, at)) continue;
    const end = text.indexOf(close, at + begin.length);
    return end < 0 ? -1 : end + close.length;
  }
  return null;
}

/** Returns the position of the bracket that closes a tag, which is not one inside a quoted value. */
function endOfTag(text: string, from: number): number | 'open' | 'long' {
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '>') return at;
    if (character !== '"' && character !== "'") continue;
    const closing = text.indexOf(character, at + 1);
    if (closing < 0) return 'open';
    if (closing - at > MAX_ATTRIBUTE) return 'long';
    at = closing;
  }
  return 'open';
}
