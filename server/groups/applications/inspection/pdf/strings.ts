/** Enough to know an address by its scheme. */
const KEPT = 64;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** How the literal string between two places begins (ISO 32000-1 §7.3.4.2), in whichever of the encodings of text. */
export function beginningOf(bytes: Buffer, begin: number, end: number): string {
  // An escaped byte takes four, a line that is continued three more.
  const text = bytes.toString('latin1', begin, Math.min(end, begin + 8 * KEPT));
  return plain(text.replaceAll(/\\(?:([0-7]{1,3})|(\r\n|[^])|$)/g, (_, octal: string | undefined, escaped = '') =>
    (octal !== undefined ? String.fromCharCode(Number.parseInt(octal, 8) & 255) : /^[\r\n]/.test(escaped) ? '' : ESCAPES[escaped] ?? escaped)));
}

export function beginningOfHex(bytes: Buffer, begin: number, end: number): string {
  return plain(Buffer.from(bytes.toString('latin1', begin, Math.min(end, begin + 8 * KEPT)).replaceAll(/[^\da-f]/gi, ''), 'hex').toString('latin1'));
}

/** UTF-16 and UTF-8 announce themselves by three signs at most; what is ASCII in them is between NULs. */
function plain(text: string): string {
  return text.replace(/^(?:\xfe\xff|\xff\xfe|\xef\xbb\xbf)/, '').replaceAll('\0', '').slice(0, KEPT);
}
