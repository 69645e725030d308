/**
 * Makes file names from clients safe to show, to store and to send, without input or output. Used when documents are
 * stored and, through the index, wherever a download is answered. A name that passes unchanged could open as a program
 * on a desktop, hide its extension or break a header.
 */
import type { Format } from './inspection/checks.ts';

const MAX_LENGTH = 120;
const MAX_EXTENSION = 10;
const EXTENSIONS: Readonly<Record<Format, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/** Extension by which a desktop opens a file, such as `.html`. Digits alone after a point are part of the name. */
const EXTENSION = /\.(?=[^.]*\p{L})[^. ]{1,20}$/u;
/** Names that Windows reserves for devices, whatever follows the first point. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³]) *(?:\.|$)/i;

/**
 * Returns a client's file name in a form that is safe to show and to save: the last path part, without control
 * characters, without invisible characters that reorder or hide text, without characters that file systems reserve, and
 * with at most 120 characters. The extension is that of the recognised format, because a desktop opens a saved file by
 * its name and not by its content. A name of which nothing remains becomes `document`. The function is idempotent.
 */
export function safeFileName(clientName: string, format: Format): string {
  const visible = clientName.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const name = trimmed(
    visible
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[<>:"|?*]/g, '_'),
  );
  const stem = trimmed(name.replace(EXTENSION, ''));
  const extension = `.${EXTENSIONS[format]}`;
  const short = trimmed(shortened(stem, MAX_LENGTH - extension.length - 1));
  if (short === '') return `document${extension}`;
  return DEVICE.test(short) ? `_${short}${extension}` : `${short}${extension}`;
}

function trimmed(name: string): string {
  return name.replaceAll(/^[. ]+|[. ]+$/g, '');
}

/** Shortens a name to a limit. Preserves the extension and does not split characters. */
export function shortened(name: string, limit: number, lengthOf = (text: string): number => text.length): string {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION ? name.slice(dot) : '';
  // Cuts the name to the limit first, because measuring a long name repeatedly takes quadratic time. Each character
  // counts at least one, so this never cuts too much.
  const characters = [...name.slice(0, name.length - extension.length)].slice(0, limit);
  while (characters.length > 0 && lengthOf(characters.join('') + extension) > limit) characters.pop();
  return characters.join('') + extension;
}

/**
 * Highest length of the percent-encoded name, which is several times as long as the name. Headers have a size limit.
 */
const MAX_EXTENDED = 360;

/** Returns the header of an attachment (RFC 6266): the name in ASCII and, if that differs, in UTF-8 (RFC 8187). */
export function contentDisposition(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  const attachment = `attachment; filename="${plain}"`;
  if (plain === fileName) return attachment;
  return `${attachment}; filename*=UTF-8''${encode(shortened(fileName, MAX_EXTENDED, (text) => encode(text).length))}`;
}

/**
 * Percent-encodes a name, including four characters that encodeURIComponent leaves and RFC 8187 §3.2.1 does not allow.
 */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
