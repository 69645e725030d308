/** Tests that the page about the house names what exists. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layers } from './layers.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** Returns the paths in a text; `<aggregate>` and the like stand for any folder. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/(?:server|test|scripts|sdks|docs)\/[\w./-]+\w/g)].map(([path]) => path);

describe('The page of the house', () => {
  const page = read('docs/house.md');

  it('names only existing paths', () => {
    expect(pathsIn(page).length).toBeGreaterThan(40);
    expect(pathsIn(page).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names every layer and every module', () => {
    const folders = [
      ...layers.slice(1).map((layer) => layer.replace(/\/$/, '')),
      ...globSync('server/modules/*', { cwd: ROOT }),
    ];
    expect(folders.filter((folder) => !new RegExp(`${folder}\\b(?![-\\w])`).test(page))).toEqual([]);
  });
});

describe('Every layer and every module', () => {
  it.each([
    ...layers.slice(2).filter((layer) => !/modules/.test(layer)),
    ...globSync('server/modules/*/', { cwd: ROOT }),
  ])('%s states its purpose at its top', (folder) => {
    const [readme, index] = ['README.md', 'index.ts']
      .map((name) => join(folder, name))
      .map((path) => (existsSync(join(ROOT, path)) ? read(path) : ''));
    const said = readme || /^\/\*\*([\s\S]*?)\*\//.exec(index as string)?.[1] || '';
    expect(said.length).toBeGreaterThan(400);
    expect(pathsIn(said).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
