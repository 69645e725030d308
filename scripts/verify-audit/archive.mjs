/**
 * Reads the archive of an evidence pack strictly. Its files are stored uncompressed, so each byte is either a byte of a
 * file or follows from the names, the sizes and the day. Those bytes are computed again and compared, so none can be
 * changed, added or left out.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** Sizes of the fixed parts of a ZIP file, in bytes (APPNOTE 6.3.10, sections 4.3.7, 4.3.9, 4.3.12 and 4.3.16). */
const LOCAL = 30;
const DESCRIPTOR = 16;
const CENTRAL = 46;
const END = 22;
/** Largest directory; a pack has some tens of files. */
const LARGEST_DIRECTORY = 16 * 1024 * 1024;

/**
 * The bytes are not an archive as the service writes it; `entry` is the damaged file, or null if no single file is
 * damaged.
 */
export class Damaged extends Error {
  constructor(entry, detail) {
    super(detail);
    Object.assign(this, { entry, detail });
  }
}

const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

/** Computes a CRC-32 without the inversions at both ends. */
function crcOf(bytes, before) {
  let crc = before;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_OF_BYTE[(crc ^ byte) & 0xff];
  return crc;
}

function localHeader({ name, day }) {
  const header = Buffer.alloc(LOCAL);
  header.writeUInt32BE(0x504b0304, 0);
  // Version 4.5, names in UTF-8, sizes after the file.
  header.writeUInt32BE(0x2d000808, 4);
  header.writeUInt32LE(day, 10);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function descriptor({ crc, size }) {
  const bytes = Buffer.alloc(DESCRIPTOR);
  bytes.writeUInt32BE(0x504b0708, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeUInt32LE(size, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes;
}

function centralHeader({ name, day, crc, size, offset }) {
  const header = Buffer.alloc(CENTRAL);
  header.writeUInt32BE(0x504b0102, 0);
  // Made on Unix.
  header.writeUInt32BE(0x2d032d00, 4);
  header.writeUInt16BE(0x0808, 8);
  header.writeUInt32LE(day, 12);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(size, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(name.length, 28);
  // File mode: readable by everyone.
  header.writeUInt16LE(0o100664, 40);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name]);
}

function endOf({ count, length, offset }) {
  const bytes = Buffer.alloc(END);
  bytes.writeUInt32BE(0x504b0506, 0);
  bytes.writeUInt16LE(count, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(length, 12);
  bytes.writeUInt32LE(offset, 16);
  return bytes;
}

/** Returns time and date in ZIP format: noon of the day (UTC). */
export function dayOf(instant) {
  const at = new Date(instant);
  return (
    (((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()) * 0x1_0000 + (12 << 11)
  );
}

async function bytesAt(handle, position, length) {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}

/** Computes SHA-256 and CRC-32 of a file in the archive, in constant memory. */
async function tally(file, { start, size }) {
  const hash = createHash('sha256');
  let crc = -1;
  if (size > 0) {
    for await (const piece of createReadStream(file, { start, end: start + size - 1, highWaterMark: 256 * 1024 })) {
      hash.update(piece);
      crc = crcOf(piece, crc);
    }
  }
  return { sha256: hash.digest('hex'), crc: (crc ^ -1) >>> 0 };
}

/** Returns the names and places of the files, as listed at the end of the archive. */
async function readDirectory(handle, total) {
  const cutOff = new Damaged(
    null,
    'The archive is cut off, or something follows it: it does not end where its list of files says.',
  );
  const end = await bytesAt(handle, Math.max(0, total - END), END);
  if (end.length < END) throw cutOff;
  const [count, length, offset] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
  if (!end.equals(endOf({ count, length, offset })) || offset + length + END !== total || length > LARGEST_DIRECTORY)
    throw cutOff;
  const directory = await bytesAt(handle, offset, length);
  const listed = [];
  let at = 0;
  for (let place = 0; at + CENTRAL <= directory.length; ) {
    const name = directory.subarray(at + CENTRAL, at + CENTRAL + directory.readUInt16LE(at + 28));
    const entry = {
      name,
      path: name.toString(),
      day: directory.readUInt32LE(at + 12),
      crc: directory.readUInt32LE(at + 16),
      size: directory.readUInt32LE(at + 24),
      offset: place,
    };
    const expected = centralHeader(entry);
    if (!directory.subarray(at, at + expected.length).equals(expected))
      throw new Damaged(entry.path, 'What the list of files at the end of the archive says of it was changed.');
    listed.push({ ...entry, start: place + LOCAL + name.length });
    at += expected.length;
    place += LOCAL + name.length + entry.size + DESCRIPTOR;
  }
  const last = listed.at(-1);
  const ends = last === undefined ? 0 : last.start + last.size + DESCRIPTOR;
  if (at !== directory.length || listed.length !== count || ends !== offset)
    throw new Damaged(null, 'The list of files at the end of the archive does not agree with it.');
  return listed;
}

/**
 * Returns all files of an archive in order: path, place, size, SHA-256, the day of the archive, and `fault`, which is
 * null if the bytes around the file are correct.
 */
export async function readArchive(file) {
  const handle = await open(file, 'r');
  try {
    const { size: total } = await handle.stat();
    const listed = await readDirectory(handle, total);
    const found = [];
    for (const entry of listed) {
      const before = localHeader(entry);
      const { sha256, crc } = await tally(file, entry);
      const after = descriptor(entry);
      const isWhole =
        crc === entry.crc &&
        (await bytesAt(handle, entry.offset, before.length)).equals(before) &&
        (await bytesAt(handle, entry.start + entry.size, DESCRIPTOR)).equals(after);
      found.push({
        path: entry.path,
        start: entry.start,
        size: entry.size,
        sha256,
        day: entry.day,
        fault: isWhole ? null : 'The bytes are not those that the archive was made with.',
      });
    }
    return found;
  } finally {
    await handle.close();
  }
}
