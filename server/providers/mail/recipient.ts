/** Control and format characters, line ends, and those that are blank without being a space. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\s\u2800]+|(?!\p{VS})\p{DI}+/gu;
/** What is a point to a resolver of names (RFC 3490 §3.1) or looks like one, unless an abbreviation goes on with one Latin letter. */
const POINT = /[.\u3002\uff61\u2024\u00b7\u0387\u0701\u0702\u0660\u06f0\u2027\u2219\u22c5\u30fb\uff65\ua4f8\ua60e\u{10a50}\u{1d16d}]+(?!$|\s|[)\],;!?"'’”]|\p{Script=Latin}(?![\p{L}\p{M}\p{N}-]))/gu;
const AT = /\s*[@\ufe6b\uff20]\s*/gu;
const COLON = /[:\ufe55\uff1a\u2236\ua789\u0589](?=\S)/gu;
/** Slashes after each other begin an address without a scheme; one alone stands in `S/A`. */
const SLASHES = /[/\\\u2044\u2215\u29f8\u29f5\uff0f\uff3c]\s*(?:[/\\\u2044\u2215\u29f8\u29f5\uff0f\uff3c]\s*)+/gu;
const WWW = /\bwww\b/giu;
/** So many digits are a telephone number to whoever shows the mail. */
const TELEPHONE = /\p{Nd}(?:[\s().+/-]*\p{Nd}){6,}/gu;
/** Enough for a name, and little for a message. */
const LONGEST = 80;

/**
 * A name that somebody chose, as mail says it: one line, and nothing of which a program that shows mail makes a link. Names
 * like `Booking.com` are allowed, so they are not refused but told apart: `Booking com`.
 */
export function plainName(text: string): string {
  const seen = text.normalize('NFKC').replace(UNSEEN, ' ');
  const plain = seen.replace(TELEPHONE, '•••').replace(SLASHES, ' ').replace(AT, ' at ').replace(COLON, ': ').replace(POINT, ' ').replace(WWW, 'w w w');
  return [...plain.replace(/ {2,}/g, ' ').trim()].slice(0, LONGEST).join('');
}

/** No white space, control character, comma or angle bracket: nothing that could end the address in a header (RFC 5322 §3.4). */
const ADDRESS = /^[^\s\p{C}@<>(),;:\\"[\]]{1,64}@[^\s\p{C}@<>(),;:\\"[\]]{1,253}$/u;
/** Control and format characters, among them line ends and those that turn the direction of text around. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;
const LONGEST_HEADER_TEXT = 200;

/** Other forms of address (RFC 5321 allows quoted ones) were never accepted as a user's e-mail. */
export function assertAddress(address: string): string {
  if (!ADDRESS.test(address)) throw new TypeError('this is no address that mail can be sent to');
  return address;
}

/** A name or a subject as one line: whatever people call themselves, it never becomes a header of its own. */
export function headerText(text: string): string {
  return [...text.replace(UNPRINTABLE, ' ').trim()].slice(0, LONGEST_HEADER_TEXT).join('');
}
