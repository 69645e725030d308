/** Tests of the links in documents. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { each } from '../support/each.ts';

const ROOT = join(import.meta.dirname, '../..');
const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT }), ...globSync('sdks/*/*.md', { cwd: ROOT })];

/** Returns anchors of headings as the hosts of repositories create them. */
function anchors(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the links of a document within the project. */
function linksOf(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8').replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

describe.each(each(documents.filter((document) => linksOf(document).length > 0)))('%s', (document) => {
  it('links to files and headings that exist', () => {
    for (const link of each(linksOf(document))) {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? join(ROOT, document) : join(ROOT, dirname(document), path);
      expect(existsSync(file), link).toBe(true);
      if (anchor !== undefined && file.endsWith('.md')) expect(anchors(file), link).toContain(anchor);
    }
  });
});
