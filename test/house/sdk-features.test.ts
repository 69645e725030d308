/** Tests that each feature of the SDKs is described and shown by a test. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const page = resolve(import.meta.dirname, '../../docs/decisions/0020-sdks.md');

const [, beside = ''] = readFileSync(page, 'utf8').split('\n## Beside three anchors\n');
const [table = ''] = beside.split('\n## ');

/** Rows of the table without its head: the text of a row, and the tests that it links to. */
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => {
    const [feature = '', ...cells] = line
      .split('|')
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '');
    return {
      feature,
      cells,
      tests: [...line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title = '', file = '']) => ({ title, file })),
    };
  });

describe('the features of the SDKs beside the anchors', () => {
  it('are described for all three, and shown by a test each', () => {
    expect(rows.length).toBeGreaterThan(30);
    for (const { feature, cells, tests } of rows) {
      expect(cells, feature).toHaveLength(5);
      expect(tests.length, feature).toBeGreaterThan(0);
    }
  });

  it.each(rows.flatMap(({ tests }) => tests))('are shown by a test that exists: $title', ({ title, file }) => {
    const source = readFileSync(resolve(page, '..', file), 'utf8');
    expect(file.endsWith('.py') ? source.includes(`def ${title}(`) : source.includes(title)).toBe(true);
  });
});
