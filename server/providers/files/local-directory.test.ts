/** Tests of storing files in a folder. */
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileMissingError, sweepOrphans } from './file-storage.ts';
import { LocalDirectory } from './local-directory.ts';

let root: string;
let storage: LocalDirectory;
const OWNER = '0197f2c4-8a0f-7b1d-8c44-91d0e3f5b602';
const OTHER = '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01';
const HOUR = 60 * 60 * 1000;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'files-'));
  storage = await LocalDirectory.open(join(root, 'files'), new Date());
});
afterEach(() => rm(root, { recursive: true, force: true }));

const pathOf = (key: string): string => {
  const [owner = '', name = ''] = key.split('/');
  return join(root, 'files', owner, name.slice(0, 2), name);
};

async function age(key: string, milliseconds: number): Promise<void> {
  const then = new Date(Date.now() - milliseconds);
  await utimes(pathOf(key), then, then);
}

describe('the local directory', () => {
  it('returns exactly the bytes that were stored', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 26, 0]);
    const key = await storage.put(OWNER, bytes);
    expect(await buffer(await storage.open(key))).toEqual(bytes);
  });

  it('gives every file its own name, even for equal bytes', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => storage.put(OWNER, Buffer.from('same'))));
    expect(new Set(keys).size).toBe(20);
  });

  it('lets only this account read the files', async () => {
    const key = await storage.put(OWNER, Buffer.from('secret'));
    expect((await stat(pathOf(key))).mode & 0o077).toBe(0);
    expect((await stat(dirname(pathOf(key)))).mode & 0o077).toBe(0);
  });

  it('leaves no incoming file after a put', async () => {
    await storage.put(OWNER, Buffer.from('x'));
    expect(await readdir(join(root, 'files', 'incoming'))).toEqual([]);
  });

  it('says that a file is missing', async () => {
    await expect(storage.open(`${OWNER}/${'0'.repeat(32)}`)).rejects.toBeInstanceOf(FileMissingError);
  });

  it('deletes a file, and does not fail if it is already deleted', async () => {
    const key = await storage.put(OWNER, Buffer.from('x'));
    await storage.delete(key);
    await storage.delete(key);
    await expect(storage.open(key)).rejects.toBeInstanceOf(FileMissingError);
  });

  it('opens no file for a caller that has aborted', async () => {
    const gone = new Error('gone');
    const key = await storage.put(OWNER, Buffer.from('x'));
    await expect(storage.open(key, AbortSignal.abort(gone))).rejects.toBe(gone);
  });

  it.each([
    '../../etc/passwd',
    '',
    'ABCDEF',
    `../${'0'.repeat(32)}`,
    `${OWNER}/../${'0'.repeat(32)}`,
    `${OWNER}/${'0'.repeat(31)}/`,
  ])('never turns %j into a path', async (key) => {
    await expect(storage.open(key)).rejects.toThrow(/32 hexadecimal/);
    await expect(storage.delete(key)).rejects.toThrow(/32 hexadecimal/);
  });

  it('can be opened again with its files', async () => {
    const key = await storage.put(OWNER, Buffer.from('kept'));
    const again = await LocalDirectory.open(join(root, 'files'), new Date());
    expect(await buffer(await again.open(key))).toEqual(Buffer.from('kept'));
  });

  it('removes half-written files of a crash at start, but not those that another process is writing', async () => {
    const incoming = join(root, 'files', 'incoming');
    await writeFile(join(incoming, 'a'.repeat(32)), 'half');
    await writeFile(join(incoming, 'b'.repeat(32)), 'half');
    await utimes(join(incoming, 'a'.repeat(32)), 0, 0);
    await LocalDirectory.open(join(root, 'files'), new Date());
    expect(await readdir(incoming)).toEqual(['b'.repeat(32)]);
  });
});

describe('the sweep', () => {
  it('removes old files without a row and keeps young files and files with a row', async () => {
    const [orphan, young, referenced, foreign] = [
      await storage.put(OWNER, Buffer.from('1')),
      await storage.put(OWNER, Buffer.from('2')),
      await storage.put(OWNER, Buffer.from('3')),
      await storage.put(OTHER, Buffer.from('4')),
    ];
    for (const key of [orphan, referenced, foreign]) await age(key, 2 * HOUR);
    const asked: string[] = [];
    const removed = await sweepOrphans(
      storage,
      async ({ owner, keys }) => {
        asked.push(owner);
        return new Set(keys.filter((key) => key === referenced || key === foreign));
      },
      new Date(),
    );
    expect(removed).toBe(1);
    expect(asked.sort()).toEqual([OWNER, OTHER]);
    await expect(storage.open(orphan)).rejects.toBeInstanceOf(FileMissingError);
    for (const [key, text] of [
      [young, '2'],
      [referenced, '3'],
      [foreign, '4'],
    ] as const) {
      expect((await buffer(await storage.open(key))).toString()).toBe(text);
    }
  });
});
