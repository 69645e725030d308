export interface Recipient {
  readonly address: string;
  readonly name: string | null;
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
