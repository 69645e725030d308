/** Tests of compressed list files. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { downloadZip } from 'client-zip';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UN } from '../../../test/support/list-files.ts';
import { uncompressed } from './compressed.ts';

describe('An archive', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watch-list-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const stored = async (bytes: Uint8Array): Promise<string> => {
    const path = join(folder, 'file');
    await writeFile(path, bytes);
    return path;
  };
  const zip = async (...files: string[]): Promise<Uint8Array> =>
    new Uint8Array(await downloadZip(files.map((input, index) => ({ name: `${index}.xml`, input }))).arrayBuffer());
  const textIn = async (bytes: Uint8Array): Promise<string> => {
    const parts: Uint8Array[] = [];
    for await (const part of await uncompressed(await stored(bytes))) parts.push(part);
    return Buffer.concat(parts).toString();
  };

  it('of one file is read as that file, like a file without an archive', async () => {
    for (const bytes of [await zip(UN), gzipSync(UN), Buffer.from(UN)]) expect(await textIn(bytes)).toBe(UN);
  });

  it('of two files, of none, truncated, damaged, or far larger than it looks is rejected', async () => {
    const broken: Readonly<Record<string, [Uint8Array, string]>> = {
      two: [await zip(UN, UN), 'holds 2 files'],
      none: [await zip(), 'holds 0 files'],
      cut: [(await zip(UN)).subarray(0, 60), 'cannot be read'],
      damaged: [gzipSync(UN).subarray(0, 80), 'cannot be read'],
      bomb: [gzipSync(Buffer.alloc(64 * 1024 ** 2)), 'far more than a list has'],
    };
    for (const [name, [bytes, message]] of Object.entries(broken))
      await expect(textIn(bytes), name).rejects.toThrow(message);
  });
});
