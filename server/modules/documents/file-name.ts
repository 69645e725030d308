import type { Format } from './inspection/checks.ts';

const MAX_LENGTH = 120;
const MAX_EXTENSION = 10;
const EXTENSIONS: Readonly<Record<Format, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp', 'application/pdf': 'pdf' };

/** What a desktop opens a file by, `.html` as well as `.settingcontent-ms`. Digits alone after a point are part of the name. */
const EXTENSION = /\.(?=[^.]*\p{L})[^. ]{1,20}$/u;
/** Windows gives these names to devices, whatever follows the first point. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³]) *(?:\.|$)/i;

/**
 * The name that a client gave, fit to be shown and to be saved: its last path part, without control characters, without
 * invisible ones that reorder or hide text and without what a file system gives a meaning to, at most 120 characters. Its
 * extension is that of the format that was recognised: a reader opens a saved file by its name and not by its content.
 * A name of which nothing is left becomes `document`. Applied to its own result it changes nothing.
 */
export function safeFileName(given: string, format: Format): string {
  const visible = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const name = trimmed(visible.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').replaceAll(/\s+/g, ' ').replaceAll(/[<>:"|?*]/g, '_'));
  const stem = trimmed(name.replace(EXTENSION, ''));
  const extension = `.${EXTENSIONS[format]}`;
  const kept = trimmed(shortened(stem, MAX_LENGTH - extension.length - 1));
  return `${kept === '' ? 'document' : DEVICE.test(kept) ? `_${kept}` : kept}${extension}`;
}

function trimmed(name: string): string {
  return name.replaceAll(/^[. ]+|[. ]+$/g, '');
}

/** Keeps the extension and whole characters. */
export function shortened(name: string, limit: number, lengthOf = (text: string): number => text.length): string {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION ? name.slice(dot) : '';
  // Cut first, because each character counts at least one: measuring a long name again and again takes its square in time.
  const characters = [...name.slice(0, name.length - extension.length)].slice(0, limit);
  while (characters.length > 0 && lengthOf(characters.join('') + extension) > limit) characters.pop();
  return characters.join('') + extension;
}

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
