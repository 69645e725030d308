const HEXADECIMAL: ReadonlySet<string | null> = new Set(['ASCIIHexDecode', 'AHx']);
const BASE_85: ReadonlySet<string | null> = new Set(['ASCII85Decode', 'A85']);

export function isTextFilter(filter: string | null): boolean {
  return HEXADECIMAL.has(filter) || BASE_85.has(filter);
}

/** Undoes a filter that writes binary data as text (ISO 32000-1 §7.4.2, §7.4.3). */
export function decodeText(filter: string, data: Buffer): Buffer {
  return HEXADECIMAL.has(filter) ? fromHexadecimal(data) : fromBase85(data);
}

function fromHexadecimal(text: Buffer): Buffer {
  return Buffer.from((text.toString('latin1').split('>')[0] ?? '').replaceAll(/[^\da-f]/gi, ''), 'hex');
}

/** Five digits are four bytes, `z` is four times zero, `~` is the end. What is no digit is passed over. */
function fromBase85(text: Buffer): Buffer {
  const zeros = text.reduce((count, byte) => count + Number(byte === 0x7a), 0);
  const bytes = Buffer.alloc(4 * (zeros + Math.ceil(text.length / 5)));
  let [length, value, digits] = [0, 0, 0];
  for (const byte of text) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && digits === 0) length += 4;
    if (byte < 0x21 || byte > 0x75) continue;
    value = value * 85 + byte - 0x21;
    if (++digits < 5) continue;
    bytes.writeUInt32BE(value % 2 ** 32, length);
    [length, value, digits] = [length + 4, 0, 0];
  }
  if (digits > 1) {
    for (let missing = digits; missing < 5; missing++) value = value * 85 + 84;
    bytes.writeUInt32BE(value % 2 ** 32, length);
    length += digits - 1;
  }
  return bytes.subarray(0, length);
}
