/** Tests of the file in which the operator lists the sources of watch lists. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListSource, readListSources } from './index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'list-sources-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('The file of list sources', () => {
  const read = async (content: unknown): Promise<readonly ListSource[]> => {
    const path = join(folder, 'lists.json');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return readListSources(path);
  };
  const good = { list: 'ofac-sdn', url: 'https://lists.example/sdn.xml' };

  it('gives the lists, addresses and intervals', async () => {
    expect(
      await read([
        good,
        {
          list: 'ofac-consolidated',
          format: 'ofac-csv',
          url: 'https://lists.example/cons.csv',
          with: { alt: 'https://lists.example/alt.csv' },
          everyMinutes: 15,
        },
      ]),
    ).toEqual([
      {
        listId: 'ofac-sdn',
        format: 'ofac-xml',
        everyMinutes: 60,
        urls: { main: 'https://lists.example/sdn.xml' },
      },
      {
        listId: 'ofac-consolidated',
        format: 'ofac-csv',
        everyMinutes: 15,
        urls: { main: 'https://lists.example/cons.csv', alt: 'https://lists.example/alt.csv' },
      },
    ]);
  });

  it.each([
    ['[', 'is not JSON'],
    [{}, 'must hold a JSON array'],
    [[good, good], 'names one list twice'],
    [['ofac-sdn'], 'entry 1: an object is expected'],
    [[{ ...good, list: 'nobody-knows' }], '"list" must be'],
    [[{ ...good, format: 'un-xml' }], '"format" must be ofac-xml or ofac-csv'],
    [[{ ...good, everyMinutes: 0 }], '"everyMinutes" must be'],
    [[{ ...good, everyMinutes: 1.5 }], '"everyMinutes" must be'],
    [[{ ...good, url: 'http://lists.example/hidden' }], '"url": an address is expected that starts with https://'],
    [[{ list: 'ofac-sdn' }], '"url": an address'],
    [[{ ...good, with: { alt: 'file:///hidden' } }], '"with", "alt": an address'],
    [[{ ...good, with: [] }], '"with": an object'],
    [[{ ...good, format: 'ofac-csv' }], '"with", "alt": alt is missing'],
    [[{ ...good, with: { alt: 'https://lists.example/alt.csv' } }], '"with", "alt": alt must be left out'],
    [[{ ...good, adress: 'hidden' }], 'a field that has no meaning'],
  ])('is refused with the location of the error: %j', async (content, sentence) => {
    const error = await read(content).then(
      () => null,
      ({ message }: Error) => message,
    );
    expect(error).toContain(sentence);
    expect(error).not.toContain('hidden');
  });
});
