/** Tests of the signed archive that is streamed from stored files. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { secretsFrom } from '../base/secrets.ts';
import { CheckpointSigner } from './checkpoint.ts';
import { type ArchivePart, signedArchive } from './signed-archive.ts';

const signer = new CheckpointSigner(secretsFrom('s'.repeat(32)));
const archive = (...parts: ArchivePart[]) =>
  signedArchive(signer, { format: 'test/1', createdAt: '2026-11-03T23:30:00.000Z' }, parts);
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** Endless file with a counter of the chunks that were read. */
function endless() {
  const reads = { chunks: 0 };
  const source = new Readable({
    read() {
      reads.chunks += 1;
      this.push(CHUNK);
    },
  });
  return { source, reads, part: { path: 'endless', open: async () => source } satisfies ArchivePart };
}

describe('a signed archive', () => {
  it('reads no more of a file than its own reader consumes', async () => {
    const { reads, part } = endless();
    const made = archive(part);
    await once(made, 'readable');
    for (let round = 0; round < 200; round += 1) await setImmediate();
    expect(reads.chunks).toBeLessThan(20);
    made.destroy();
  });

  it('closes the open file and opens no other when its reader stops', async () => {
    const { source, part } = endless();
    let opened = 0;
    const made = archive(part, {
      path: 'next',
      open: () => {
        opened += 1;
        return ['text'];
      },
    });
    await once(made, 'readable');
    made.read();
    made.destroy();
    if (!source.destroyed) await once(source, 'close');
    expect([source.destroyed, opened]).toEqual([true, 0]);
  });

  it('ends with an error if a file cannot be opened, is truncated, or is not the uploaded one', async () => {
    const sha256 = createHash('sha256').update('as it was').digest('hex');
    const broken = async function* () {
      yield CHUNK;
      throw new Error('the disk is gone');
    };
    await expect(buffer(archive({ path: 'a', open: () => Promise.reject(new Error('no such file')) }))).rejects.toThrow(
      'no such file',
    );
    await expect(buffer(archive({ path: 'a', open: async () => broken() }))).rejects.toThrow('the disk is gone');
    await expect(buffer(archive({ path: 'a', sha256, open: () => ['as it is'] }))).rejects.toThrow(
      'a is not the file that was uploaded',
    );
    expect((await buffer(archive({ path: 'a', sha256, open: () => ['as ', 'it was'] }))).includes(sha256)).toBe(true);
  });

  it('is identical each time, whatever the time zone', async () => {
    const zone = process.env['TZ'];
    const made: Buffer[] = [];
    for (const timeZone of ['UTC', 'Pacific/Kiritimati', 'America/Noronha']) {
      process.env['TZ'] = timeZone;
      made.push(await buffer(archive({ path: 'a', open: () => ['text'] })));
    }
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    expect(made.every((one) => one.equals(made[0]!))).toBe(true);
  });
});
