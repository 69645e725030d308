import { shortened } from './file-name.ts';

/** Percent-encoding triples or more what is not ASCII, and the header has a limit. */
const MAX_EXTENDED = 360;

/** An attachment (RFC 6266) under its name: in ASCII for old clients, in UTF-8 after RFC 8187 where that differs. */
export function contentDisposition(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  const attachment = `attachment; filename="${plain}"`;
  if (plain === fileName) return attachment;
  return `${attachment}; filename*=UTF-8''${encode(shortened(fileName, MAX_EXTENDED, (text) => encode(text).length))}`;
}

/** encodeURIComponent leaves four characters alone that are no attr-char of RFC 8187 §3.2.1. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
