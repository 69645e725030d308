/**
 * Runs in a thread beside the API: it unpacks the files of a list, reads and judges its entries, and hashes them. So no
 * request waits for it, whatever the file contains, and its memory is bounded. Started by reading.ts.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { contentHash, matchHash } from '../hashes.ts';
import { yieldToRequests } from '../less-urgent.ts';
import { uncompressed } from './compressed.ts';
import { FORMATS } from './index.ts';
import { ListCount } from './list-bounds.ts';
import type { ReadEntity, ReadingOrder, ReadingReport } from './reading.ts';
import { type Bytes, dayInName, inFile, type SourceFacts, SourceFileError } from './source-file.ts';
import { storable } from './storable.ts';

yieldToRequests('reading');

/** Size of a part. The next part is sent only on request. */
const BATCH_ENTITIES = 250;
const BATCH_CHARACTERS = 64 * 1024;

const port = parentPort!;
const report = (what: ReadingReport): void => port.postMessage(what);
/** Called when the current part has been taken. */
let onNext = (): void => {};

async function read({ format, files: { main, ...others }, bounds }: ReadingOrder): Promise<void> {
  const count = new ListCount(bounds);
  const facts: SourceFacts = {};
  const open = async (file: string | Uint8Array, onName?: (name: string) => void): Promise<Bytes> => {
    if (typeof file === 'string' && !(await stat(file).catch(() => null))?.isFile())
      throw new SourceFileError(`there is no file ${file}`);
    return count.counted(await uncompressed(typeof file === 'string' ? file : Buffer.from(file), onName));
  };
  const more = Object.fromEntries(
    await Promise.all(
      Object.entries(others).map(async ([role, file]) => [role, await inFile(role, open(file))] as const),
    ),
  );
  let [batch, characters]: [ReadEntity[], number] = [[], 0];
  const handOver = async (): Promise<void> => {
    const taken = new Promise<void>((resolve) => (onNext = resolve));
    report({ did: 'read', entities: batch });
    [batch, characters] = [[], 0];
    await taken;
  };
  const named = (name: string): void => {
    const day = dayInName(name);
    if (day !== undefined) facts.namedOn = day;
  };
  if (typeof main === 'string') named(basename(main));
  for await (const raw of FORMATS[format].read(await open(main, named), facts, more)) {
    const entity = storable(raw, format === 'own');
    count.add(entity);
    const document = JSON.stringify(entity);
    batch.push({
      key: entity.key,
      content: contentHash(entity),
      match: matchHash(entity),
      document,
    });
    characters += document.length;
    if (batch.length >= BATCH_ENTITIES || characters >= BATCH_CHARACTERS) await handOver();
  }
  if (batch.length > 0) await handOver();
  report({ did: 'end', facts });
}

async function answer(order: ReadingOrder): Promise<void> {
  try {
    await read(order);
  } catch (error) {
    if (!(error instanceof SourceFileError)) throw error;
    report({
      did: 'refuse',
      message: error.message,
      role: error.role,
      code: error.code,
    });
  }
}

port.on('message', (order: ReadingOrder | 'next') => {
  if (order === 'next') onNext();
  else void answer(order);
});
