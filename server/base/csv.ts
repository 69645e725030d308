/** A spreadsheet takes a cell that begins so for a formula, which may send data elsewhere or run programs. */
const FORMULA = /^[=+\-@\t\r]/;

/** One line of CSV as in RFC 4180: quoted where it must be, doubled quotes, CRLF. What a spreadsheet would take for a formula begins with an apostrophe. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: unknown): string {
  const plain = value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const text = FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
