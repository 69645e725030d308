/** Tests of scripts/inspect-files.ts, which shows what the document checks would do with the files of a folder. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encryptedPdf, jpeg, pdf, png } from '../support/specimens.ts';

const script = resolve(import.meta.dirname, '../../scripts/inspect-files.ts');
let folder: string;
const inspect = async (...args: readonly string[]): Promise<string[]> =>
  (await promisify(execFile)(process.execPath, [script, ...args, folder])).stdout.trimEnd().split('\n');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inspected-files-'));
  await mkdir(join(folder, 'inner'));
  const files = {
    'a.jpg': jpeg(),
    'inner/b.JPEG': Buffer.concat([jpeg(), Buffer.from('CANON')]),
    'c.jpg': jpeg({ width: 64 }),
    'd.png': png(),
    'e.pdf': pdf(),
    'f.pdf': encryptedPdf('page aes-256'),
    'g.pdf': encryptedPdf('locked aes-256'),
    'h.txt': Buffer.from('no picture'),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
});
afterAll(() => rm(folder, { recursive: true }));

describe('inspect-files', () => {
  it('counts the accepted, trimmed and refused pictures and PDFs of a folder tree, by format and reason', async () => {
    expect((await inspect()).filter((line) => line.startsWith('|') && !line.startsWith('|--')).sort()).toEqual([
      '| Format | Files | Taken | Trimmed | Refused |',
      '| Format | Refused because | Files |',
      '| JPEG | 3 | 1 | 1 | 1 |',
      '| JPEG | image_too_small | 1 |',
      '| PDF | 3 | 2 | 0 | 1 |',
      '| PDF | encrypted_pdf | 1 |',
      '| PNG | 1 | 1 | 0 | 0 |',
    ]);
  });

  it('prints a line for each file with --files', async () => {
    const lines = (await inspect('--files')).map((line) => line.replace(folder, ''));
    expect(lines).toEqual([
      'taken\t\t/a.jpg',
      'refused\timage_too_small\t/c.jpg',
      'taken\t\t/d.png',
      'taken\t\t/e.pdf',
      'taken\t\t/f.pdf',
      'refused\tencrypted_pdf\t/g.pdf',
      'trimmed\t5 bytes cut off\t/inner/b.JPEG',
    ]);
  });
});
