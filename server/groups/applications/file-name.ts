import type { Format } from './inspection/format.ts';

const MAX_LENGTH = 120;
const MAX_EXTENSION = 10;
const EXTENSIONS: Readonly<Record<Format, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp', 'application/pdf': 'pdf' };

/**
 * The name that a client gave, fit to be shown: its last path part, without control characters and without invisible ones
 * that reorder or hide text, at most 120 characters. A name of which nothing is left becomes `document`.
 */
export function safeFileName(given: string, format: Format): string {
  const visible = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const name = visible.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').replaceAll(/\s+/g, ' ').replaceAll(/^[. ]+|[. ]+$/g, '');
  return name === '' ? `document.${EXTENSIONS[format]}` : shortened(name, MAX_LENGTH);
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
