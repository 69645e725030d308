import { assertOnlyNotes } from './foreign.ts';

const END = 'SEFT';
const DIRECTORY = 'SEFH';
const DIRECTORY_HEADER = 12;
const ENTRY = 12;
const BLOCK_HEADER = 8;
/** Notes such as the time of the photograph and the mode of the camera. Videos and further pictures are larger. */
const MAX_TRAILER = 64 * 1024;

/**
 * Whether everything from `start` is the table of notes that cameras of Samsung append to almost every photograph: blocks, one
 * after the other, then their directory. Anything between or behind them makes it something else.
 */
export function isSamsungTrailer(bytes: Buffer, start: number): boolean {
  const end = bytes.length - END.length;
  if (end - start < DIRECTORY_HEADER + 4 || bytes.length - start > MAX_TRAILER || bytes.toString('latin1', end) !== END) return false;
  const directory = end - 4 - bytes.readUInt32LE(end - 4);
  if (directory < start || bytes.toString('latin1', directory, directory + 4) !== DIRECTORY) return false;
  if (directory + DIRECTORY_HEADER > end || directory + DIRECTORY_HEADER + ENTRY * bytes.readUInt32LE(directory + 8) !== end - 4) return false;
  const blocks = blocksIn(bytes, directory, end - 4).sort((one, other) => one.from - other.from);
  let covered = blocks[0]?.from ?? directory;
  if (covered < start || bytes.subarray(start, covered).some((byte) => byte !== 0)) return false;
  for (const { from, size, type } of blocks) {
    if (from !== covered || size < BLOCK_HEADER || from + size > directory || bytes.readUInt16LE(from + 2) !== type) return false;
    covered = from + size;
  }
  if (covered !== directory) return false;
  assertOnlyNotes(bytes.subarray(start));
  return true;
}

function blocksIn(bytes: Buffer, directory: number, end: number): { readonly type: number; readonly from: number; readonly size: number }[] {
  const blocks = [];
  for (let entry = directory + DIRECTORY_HEADER; entry < end; entry += ENTRY) {
    blocks.push({ type: bytes.readUInt16LE(entry + 2), from: directory - bytes.readUInt32LE(entry + 4), size: bytes.readUInt32LE(entry + 8) });
  }
  return blocks;
}
