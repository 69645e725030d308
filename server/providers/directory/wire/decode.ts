import { keepLineEnds } from './line-ends.ts';
import { unreadable } from './unreadable.ts';

/** Beyond this an answer is refused before it is looked at; a page of 200 notifications has about 80 KiB. */
export const mostXmlBytes = 8 * 1024 * 1024;

/** XML 1.0 §2.2, Char; surrogates cannot come out of a strict UTF-8 decoder. */
const noXmlCharacter = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;
const declaration = /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.[01]"|'1\.[01]')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([\w.-]{1,40})"|'([\w.-]{1,40})'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/;

/**
 * The text of a document without its XML declaration. Only UTF-8 is read: a document in another encoding, or one
 * that declares another, could be one text to this reader and another to the next.
 */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes.byteLength > mostXmlBytes) throw unreadable('it is larger than 8 MiB');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('it is not UTF-8');
  }
  if (noXmlCharacter.test(text)) throw unreadable('it has characters that XML does not allow');
  const [whole = '', quoted, apostrophed] = declaration.exec(text) ?? [];
  const encoding = quoted ?? apostrophed ?? 'UTF-8';
  if (encoding.toUpperCase() !== 'UTF-8') throw unreadable('it declares another encoding than UTF-8');
  return keepLineEnds(text.slice(whole.length));
}
