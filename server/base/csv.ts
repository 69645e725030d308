/**
 * Writes one line of CSV. Used by exports. A cell that a spreadsheet would run as a formula is made harmless, because
 * exported texts come from strangers.
 */

/** Beginning of a cell that a spreadsheet treats as a formula, which may send data elsewhere or run programs. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Returns one line of CSV by RFC 4180: quotes where needed, doubled quotes, CRLF. A cell that a spreadsheet would treat
 * as a formula gets an apostrophe in front.
 */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: unknown): string {
  const plain = plainText(value);
  const text = FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
