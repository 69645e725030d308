const END_OF_CENTRAL_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1');
const CENTRAL_DIRECTORY_ENTRY = 'PK\x01\x02';
const ZIP64_LOCATOR = 'PK\x06\x07';
const LOCATOR_BYTES = 20;
const RECORD_BYTES = 22;
/** The record is found from the end of the file, before a comment of at most 65535 bytes (APPNOTE 4.3.16). */
const SEARCHED = RECORD_BYTES + 0xffff;

/** Whether an archiver would open the file as a ZIP, also when the archive is hidden inside a valid picture or PDF. */
export function isAlsoZip(bytes: Buffer): boolean {
  const from = Math.max(0, bytes.length - SEARCHED);
  for (let at = bytes.lastIndexOf(END_OF_CENTRAL_DIRECTORY); at >= from; at = at === 0 ? -1 : bytes.lastIndexOf(END_OF_CENTRAL_DIRECTORY, at - 1)) {
    if (at + RECORD_BYTES > bytes.length) continue;
    // Some archivers look for the directory before its record, some where the record says, and large archives have another one.
    if (stands(bytes, at - bytes.readUInt32LE(at + 12), CENTRAL_DIRECTORY_ENTRY) || stands(bytes, bytes.readUInt32LE(at + 16), CENTRAL_DIRECTORY_ENTRY)) return true;
    if (stands(bytes, at - LOCATOR_BYTES, ZIP64_LOCATOR)) return true;
  }
  return false;
}

function stands(bytes: Buffer, offset: number, signature: string): boolean {
  return offset >= 0 && bytes.toString('latin1', offset, offset + signature.length) === signature;
}
