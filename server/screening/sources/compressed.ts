/**
 * Reads a file that may be a ZIP or gzip archive. Used before every reader and by fetching. An archive that unpacks to
 * far more than a list is refused.
 */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import yauzl, { type ZipFile } from 'yauzl';
import { type Bytes, SourceFileError } from './source-file.ts';

/** Ten times the largest list, and a ratio that no list reaches, because text does not compress to a hundredth. */
export const MOST_BYTES = 2 * 1024 ** 3;
const MOST_RATIO = 100;
/** Size up to which a high ratio is harmless. */
const HARMLESS_BYTES = 16 * 1024 ** 2;

/** A path, or the bytes of a file that must not be stored on disk. */
type Source = string | Buffer;

/** Returns the bytes of a file, or of the only file in a ZIP or gzip archive, whose name `onName` receives. */
export async function uncompressed(from: Source, onName: (name: string) => void = () => {}): Promise<Bytes> {
  const start = typeof from === 'string' ? await beginningOf(from) : from.subarray(0, BEGINNING);
  const size = async (): Promise<number> => (typeof from === 'string' ? (await stat(from)).size : from.length);
  if (start.length === BEGINNING && start.readUInt16LE(0) === 0x4b50)
    return limited(await onlyEntryOf(from, onName), await size());
  if (start.length === BEGINNING && start.readUInt16BE(0) === 0x1f8b)
    return limited(streamOf(from).pipe(createGunzip()), await size());
  return streamOf(from);
}

const BEGINNING = 4;

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path);
  const start = Buffer.alloc(BEGINNING);
  await file.read(start, 0, BEGINNING, 0);
  await file.close();
  return start;
}

const streamOf = (from: Source): Readable =>
  typeof from === 'string' ? createReadStream(from) : Readable.from([from]);

async function* limited(bytes: Bytes, compressed: number): AsyncGenerator<Uint8Array> {
  let count = 0;
  try {
    for await (const chunk of bytes) {
      count += chunk.length;
      if (count > MOST_BYTES || (count > HARMLESS_BYTES && count > compressed * MOST_RATIO))
        throw new SourceFileError('the archive holds far more than a list has');
      yield chunk;
    }
  } catch (error) {
    if (error instanceof SourceFileError || !(error instanceof Error)) throw error;
    throw new SourceFileError(`the archive cannot be read: ${error.message}`);
  }
}

function onlyEntryOf(from: Source, onName: (name: string) => void): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new SourceFileError(why));
    const read = (error: Error | null, zip: ZipFile): void => {
      if (error) return fail(`the archive cannot be read: ${error.message}`);
      zip.on('error', (broken: Error) => fail(`the archive cannot be read: ${broken.message}`));
      if (zip.entryCount !== 1) return (zip.close(), fail(`the archive holds ${zip.entryCount} files instead of one`));
      zip.once('entry', (entry) => {
        if (entry.generalPurposeBitFlag & 1) return fail('the archive is encrypted');
        onName(String(entry.fileName));
        zip.openReadStream(entry, (broken, stream) =>
          broken ? fail(`the archive cannot be read: ${broken.message}`) : resolve(stream),
        );
      });
      zip.readEntry();
    };
    if (typeof from === 'string') yauzl.open(from, { lazyEntries: true, autoClose: true }, read);
    else yauzl.fromBuffer(from, { lazyEntries: true }, read);
  });
}
