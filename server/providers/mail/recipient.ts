/**
 * Makes names and addresses safe for mail. Used by composing, queueing and sending. A line break that passes would let
 * a name write headers.
 */

/** Control and format characters, line ends, and characters that look blank without being a space. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\s\u2800]+|(?!\p{VS})\p{DI}+/gu;
/**
 * Characters that a resolver of names reads as a dot (RFC 3490 §3.1) or that look like one, except in an abbreviation
 * that continues with one Latin letter.
 */
const POINT =
  /[.\u3002\uff61\u2024\u00b7\u0387\u0701\u0702\u0660\u06f0\u2027\u2219\u22c5\u30fb\uff65\ua4f8\ua60e\u{10a50}\u{1d16d}]+(?!$|\s|[)\],;!?"'’”]|\p{Script=Latin}(?![\p{L}\p{M}\p{N}-]))/gu;
const AT = /\s*[@\ufe6b\uff20]\s*/gu;
const COLON = /[:\ufe55\uff1a\u2236\ua789\u0589](?=\S)/gu;
/** Several slashes, which begin an address without a scheme. A single one is allowed, as in `S/A`. */
const SLASHES = /[/\\\u2044\u2215\u29f8\u29f5\uff0f\uff3c]\s*(?:[/\\\u2044\u2215\u29f8\u29f5\uff0f\uff3c]\s*)+/gu;
const WWW = /\bwww\b/giu;
/** As many digits as mail programs link as a telephone number. */
const TELEPHONE = /\p{Nd}(?:[\s().+/-]*\p{Nd}){6,}/gu;
/** Enough for a name, too short for a message. */
const LONGEST = 80;

/**
 * Returns a user-chosen name for use in mail: one line, and nothing that mail programs turn into a link. Names like
 * `Booking.com` are allowed, so they are not refused but split: `Booking com`.
 */
export function plainName(text: string): string {
  const seen = text.normalize('NFKC').replace(UNSEEN, ' ');
  const plain = seen
    .replace(TELEPHONE, '•••')
    .replace(SLASHES, ' ')
    .replace(AT, ' at ')
    .replace(COLON, ': ')
    .replace(POINT, ' ')
    .replace(WWW, 'w w w');
  return [...plain.replace(/ {2,}/g, ' ').trim()].slice(0, LONGEST).join('');
}

/**
 * An address without white space, control characters, commas or angle brackets, which could end it in a header (RFC
 * 5322 §3.4).
 */
const ADDRESS = /^[^\s\p{C}@<>(),;:\\"[\]]{1,64}@[^\s\p{C}@<>(),;:\\"[\]]{1,253}$/u;
/** Control and format characters, including line ends and those that reverse the text direction. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;
const LONGEST_HEADER_TEXT = 200;

/** Rejects other forms of address. RFC 5321 allows quoted ones, but users could never register them. */
export function assertAddress(address: string): string {
  if (!ADDRESS.test(address)) throw new TypeError('the address of a mail must have the form name@host');
  return address;
}

/** Returns a name or a subject as one line, so that it never becomes a header of its own. */
export function headerText(text: string): string {
  return [...text.replace(UNPRINTABLE, ' ').trim()].slice(0, LONGEST_HEADER_TEXT).join('');
}
