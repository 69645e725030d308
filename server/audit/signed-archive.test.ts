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
const archive = (...parts: ArchivePart[]) => signedArchive(signer, { format: 'test/1', createdAt: '2026-11-03T23:30:00.000Z' }, parts);
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** A file without end, and how many chunks were asked of it. */
function endless() {
  const asked = { chunks: 0 };
  const source = new Readable({ read() { asked.chunks += 1; this.push(CHUNK); } });
  return { source, asked, part: { path: 'endless', open: async () => source } satisfies ArchivePart };
}

describe('a signed archive', () => {
  it('reads of a file no more than its own reader takes', async () => {
    const { asked, part } = endless();
    const made = archive(part);
    await once(made, 'readable');
    for (let turn = 0; turn < 200; turn += 1) await setImmediate();
    expect(asked.chunks).toBeLessThan(20);
    made.destroy();
  });

  it('closes the file that is open and opens no other when its reader leaves', async () => {
    const { source, part } = endless();
    let opened = 0;
    const made = archive(part, { path: 'next', open: () => { opened += 1; return ['text']; } });
    await once(made, 'readable');
    made.read();
    made.destroy();
    if (!source.destroyed) await once(source, 'close');
    expect([source.destroyed, opened]).toEqual([true, 0]);
  });

  it('ends with an error where a file cannot be opened, breaks off, or is not the one that was uploaded', async () => {
    const sha256 = createHash('sha256').update('as it was').digest('hex');
    const broken = async function* () { yield CHUNK; throw new Error('the disk is gone'); };
    await expect(buffer(archive({ path: 'a', open: () => Promise.reject(new Error('no such file')) }))).rejects.toThrow('no such file');
    await expect(buffer(archive({ path: 'a', open: async () => broken() }))).rejects.toThrow('the disk is gone');
    await expect(buffer(archive({ path: 'a', sha256, open: () => ['as it is'] }))).rejects.toThrow('a is not the file that was uploaded');
    expect((await buffer(archive({ path: 'a', sha256, open: () => ['as ', 'it was'] }))).includes(sha256)).toBe(true);
  });

  it('is the same archive each time, wherever it is made', async () => {
    const zone = process.env['TZ'];
    const made: Buffer[] = [];
    for (const place of ['UTC', 'Pacific/Kiritimati', 'America/Noronha']) {
      process.env['TZ'] = place;
      made.push(await buffer(archive({ path: 'a', open: () => ['text'] })));
    }
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    expect(made.every((one) => one.equals(made[0]!))).toBe(true);
  });
});
