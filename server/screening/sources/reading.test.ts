/** Tests of reading a list in a thread of its own. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ListBounds, OWN_BOUNDS, PUBLISHED_BOUNDS } from './list-bounds.ts';
import { type ListFiles, type ReadEntity, readList } from './reading.ts';
import type { SourceFacts } from './source-file.ts';

const HEADER = 'key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks';
const own = (count: number, remarks = ''): Buffer =>
  Buffer.from(
    [HEADER, ...Array.from({ length: count }, (_, index) => `k${index},person,Ana Reis ${index},,,,,,${remarks}`)].join(
      '\n',
    ),
  );

interface Reading {
  readonly format?: ListFiles['format'];
  readonly bounds?: ListBounds;
  readonly facts?: SourceFacts;
  readonly signal?: AbortSignal;
}

async function partsOf(
  files: ListFiles['files'],
  { format = 'own', bounds = OWN_BOUNDS, facts = {}, signal }: Reading = {},
): Promise<(readonly ReadEntity[])[]> {
  const parts: (readonly ReadEntity[])[] = [];
  for await (const part of readList({ format, files, bounds }, facts, signal)) parts.push(part);
  return parts;
}

describe('A list that is read in a thread', () => {
  it('arrives in small parts, whether its entries are many or long', async () => {
    const many = await partsOf({ main: own(1200) });
    expect(many.map(({ length }) => length)).toEqual([250, 250, 250, 250, 200]);
    const long = await partsOf({ main: own(100, 'r'.repeat(20_000)) });
    expect(long.flat()).toHaveLength(100);
    expect(Math.max(...long.map((part) => part.reduce((sum, { document }) => sum + document.length, 0)))).toBeLessThan(
      64 * 1024 + 21_000,
    );
  });

  it('reports its own metadata at its end', async () => {
    const facts: SourceFacts = {};
    await partsOf(
      {
        main: Buffer.from(
          '<export generationDate="2026-11-20T08:00:00"><sanctionEntity logicalId="5"><subjectType ' +
            'code="person"/><nameAlias wholeName="Ana Reis"/><nameAlias ' +
            'wholeName="An\uFFFD"/></sanctionEntity></export>',
        ),
      },
      { format: 'eu-xml', bounds: PUBLISHED_BOUNDS, facts },
    );
    expect(facts).toEqual({
      publishedAt: '2026-11-20',
      quarantined: [
        {
          entityId: '5',
          record: 'entity 5',
          reason: 'damaged',
          name: 'An\uFFFD',
        },
      ],
    });
  });

  it.each<[keyof ListBounds, number, string]>([
    ['entries', 99, 'the file has more than 99 entries'],
    ['names', 99, 'the file has more than 99 names'],
    ['characters', 1000, 'the names in the file have more than 1000 characters together'],
    ['bytes', 1024, 'the file has more than 0.0009765625 MiB when it is unpacked'],
  ])('has no more %s than its bound', async (bound, most, message) => {
    await expect(partsOf({ main: gzipSync(own(100)) }, { bounds: { ...OWN_BOUNDS, [bound]: most } })).rejects.toThrow(
      message,
    );
    expect(
      (
        await partsOf(
          { main: gzipSync(own(98)) },
          { bounds: { ...OWN_BOUNDS, ...(bound === 'entries' || bound === 'names' ? { [bound]: most } : {}) } },
        )
      ).flat(),
    ).toHaveLength(98);
  });

  it('is rejected if it needs more memory than a list, and the next one is read', async () => {
    const bounds = { ...PUBLISHED_BOUNDS, memoryMebibytes: 48 };
    const entity =
      '<export><sanctionEntity logicalId="5"><subjectType code="person"/><nameAlias wholeName="Ana"/>' +
      '<x/>'.repeat(2_000_000);
    const failed = await partsOf(
      { main: gzipSync(`${entity}</sanctionEntity></export>`) },
      { format: 'eu-xml', bounds },
    ).then(
      () => null,
      (error: Error) => error,
    );
    expect(failed).toMatchObject({ name: 'SourceFileError' });
    expect((await partsOf({ main: own(3) }, { bounds })).flat()).toHaveLength(3);
  });

  it('is abandoned if its reader stops', async () => {
    const leaving = new AbortController();
    const reading = readList({ format: 'own', files: { main: own(2000) }, bounds: OWN_BOUNDS }, {}, leaving.signal);
    await reading.next();
    leaving.abort();
    await expect(reading.next()).rejects.toThrow('aborted');
  });
});
