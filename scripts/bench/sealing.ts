/**
 * Measures the cost of sealing a document and opening it again, compared with reading and hashing its bytes, which
 * every upload costs in any case. Used by main.ts.
 */
import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { sealFile, Unsealing } from '../../server/base/sealed-file.ts';
import { alternate, amount, median, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';

const MIB = 1024 * 1024;
/** Size of a phone's picture, and largest accepted file size, in MiB. */
const SIZES = [2, 15] as const;

async function opened(sealed: Buffer, unsealing: Unsealing): Promise<number> {
  let length = 0;
  for await (const piece of Readable.from([sealed]).pipe(unsealing)) length += (piece as Buffer).length;
  return length;
}

async function milliseconds(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export async function measureSealing({ extent: { rounds }, say }: Laboratory): Promise<Section[]> {
  say('sealing of files …');
  const key = createSecretKey(randomBytes(32));
  const rows: Row[] = [];
  const raw: Record<string, unknown> = {};
  for (const size of SIZES) {
    const content = randomBytes(size * MIB);
    const sealed = await sealFile(key, 'a', content);
    const contenders = {
      seal: () => milliseconds(() => sealFile(key, 'a', content)),
      open: () => milliseconds(() => opened(sealed, new Unsealing(key, 'a'))),
      hash: () => milliseconds(() => createHash('sha256').update(content).digest()),
    };
    await alternate(2, contenders);
    const turns = await alternate(rounds, contenders);
    raw[`${size} MiB`] = turns;
    for (const [name, what] of [
      ['seal', 'sealed'],
      ['open', 'opened'],
      ['hash', 'hashed'],
    ] as const)
      rows.push([`a document of ${size} MiB ${what}`, amount(median(turns[name]), 'ms')]);
  }
  return [{ title: 'Sealing at rest', rows, raw }];
}
