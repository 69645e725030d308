/** Tests of list files that are rejected, with the reason. */
import { describe, expect, it } from 'vitest';
import { piecesOf, read, UN } from '../../../test/support/list-files.ts';
import { spent } from '../../../test/support/processor-time.ts';
import { readCguPep } from './cgu-csv.ts';
import { readEuXml } from './eu-xml.ts';
import { readOfacCsv } from './ofac-csv.ts';
import { readOfacXml } from './ofac-xml.ts';
import { readFtmJson, readTargetsCsv } from './opensanctions.ts';
import { SourceFileError } from './source-file.ts';
import { readTenantCsv } from './tenant-csv.ts';
import { readUkCsv } from './uk-csv.ts';
import { readUnXml } from './un-xml.ts';
import { readUsCslCsv } from './us-csl-csv.ts';

describe('A broken file is rejected with a reason:', () => {
  const readers = {
    readOfacCsv,
    readOfacXml,
    readUnXml,
    readEuXml,
    readUkCsv,
    readUsCslCsv,
    readFtmJson,
    readTargetsCsv,
    readCguPep,
    readTenantCsv,
  };
  it.each(Object.entries(readers))('%s, of an empty file and of another format', async (_, reader) => {
    for (const file of ['', '\n', 'Dear Sir,\nplease find enclosed', '{"a":1}', '<html></html>', '<a>'])
      await expect(read(reader, file), file).rejects.toThrow(SourceFileError);
  });

  it.each([
    ['an ampersand that begins no entity', UN.replace('AURORA TRADING', 'AURORA & TRADING'), 'not well-formed XML'],
    ['the end is missing', UN.slice(0, -40), 'not well-formed XML'],
    ['an entity of its own', `<!DOCTYPE a [<!ENTITY x "y">]>${UN.replace('AURORA', '&x;')}`, 'not well-formed XML'],
    [
      'another encoding',
      Buffer.concat([Buffer.from(UN.slice(0, 180)), Buffer.alloc(100, 0xe9), Buffer.from(UN.slice(180))]),
      'not encoded in UTF-8',
    ],
    [
      'an entry of which no name can be read',
      UN.replace('AURORA TRADING', 'AURORA TRADINGÃ£'),
      'entry KPe.999: a name has signs that no name has, so the file was damaged, and the entry has no other name',
    ],
    ['an entry without a name', UN.replace('AURORA TRADING', ' '), 'entry KPe.999 has no name'],
  ])('%s', async (_, file, message) => {
    await expect(read(readUnXml, file)).rejects.toThrow(message);
  });

  it('a row that lacks a column, and a header that lacks one', async () => {
    await expect(read(readOfacCsv, '101,"MONTALVAO, Heitor",individual\n')).rejects.toThrow(
      'line 1 has 3 columns instead of 12',
    );
    await expect(read(readUsCslCsv, '_id,name\n1,Ana\n')).rejects.toThrow(
      'line 1 should name the columns, and lacks: source, type',
    );
  });
});

describe('A record of XML', () => {
  const un = (inside: string): string =>
    `<CONSOLIDATED_LIST dateGenerated="2026-01-01"><INDIVIDUALS><INDIVIDUAL>${inside}</INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`;
  const read = async (file: string): Promise<string> => {
    try {
      for await (const _ of readUnXml(piecesOf(file, 65_536), {}, {}));
      return 'read';
    } catch (error) {
      return error instanceof SourceFileError ? error.message : String(error);
    }
  };

  it.each([
    ['levels', un('<A>'.repeat(40) + '</A>'.repeat(40)), /more than 32 levels \(line 1\)/],
    ['levels outside of it', '<CONSOLIDATED_LIST>' + '<A>'.repeat(5_000_000), /more than 32 levels/],
    ['elements', un('<A/>'.repeat(5_000_000)), /more than 20000 elements/],
    ['characters', un('x'.repeat(3_000_000)), /more than 2000000 characters/],
    [
      'characters in many texts',
      un('<A>xxxxxxxxxxxxxxxxxxxx</A>y'.repeat(19_000) + '<![CDATA[' + 'x'.repeat(2_000_000) + ']]>'),
      /more than 2000000 characters/,
    ],
    [
      'attributes',
      un(`<A ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}=""`).join(' ')}/>`),
      /more than 100 attributes/,
    ],
  ])('is rejected if it has too many %s, before it is read to its end', async (_, file, message) => {
    const cost = await spent(async () => expect(await read(file)).toMatch(message));
    expect(cost).toBeLessThan(2_000);
  });

  it('may be followed by any number of others, and by any white space', async () => {
    const file = `<CONSOLIDATED_LIST><INDIVIDUALS>${`<INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>Heitor</FIRST_NAME></INDIVIDUAL>${' '.repeat(200)}\n`.repeat(12_000)}</INDIVIDUALS></CONSOLIDATED_LIST>`;
    expect(await read(file)).not.toMatch(/more than/);
  });
});
