/** Tests of scripts/screen.ts, which screens a name against lists in files, without service or database. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TIMEOUT, command } from './command.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('scripts/screen.ts', () => {
  const list = (rows: string): string => {
    const file = join(folder, 'own.csv');
    writeFileSync(file, `key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks\n${rows}\n`);
    return `own=${file}`;
  };
  const screen = (...args: string[]) => command(['scripts/screen.ts', ...args]);
  const HEITOR = '1,person,Heitor Montalvão,,1967-02-17,BR,,watchlist,';

  it(
    'prints the hits with their reasons and exits with 1, or with 0 if there are none',
    async () => {
      const found = await screen('--list', list(HEITOR), '--born', '1967', 'Eitor Montalvao');
      expect([found.status, found.err]).toEqual([1, expect.stringContaining('1 entities')]);
      expect(found.out.split('\n')).toEqual([
        expect.stringMatching(/^0\.\d{3} {2}Heitor Montalvão {2}\(own 1\)$/),
        '        +0.000  all_words: Eitor Montalvao ~ Heitor Montalvão',
        expect.stringMatching(/^ {8}\+0\.\d{3} {2}exact: montalvao ~ montalvao$/),
        expect.stringMatching(/^ {8}\+0\.\d{3} {2}edit: eitor ~ heitor$/),
        expect.stringMatching(/^ {8}\+0\.\d{3} {2}date_of_birth_year_equal: 1967 ~ 1967-02-17$/),
        '',
      ]);
      expect(await screen('--list', list(HEITOR), 'Clarice Falcão')).toMatchObject({ status: 0, out: '' });
      const [hit] = JSON.parse((await screen('--list', list(HEITOR), '--json', 'Heitor Montalvão')).out) as {
        score: number;
        list: string;
        entity: { key: string };
      }[];
      expect(hit).toMatchObject({ score: 1, list: 'own', entity: { key: '1' } });
      expect((await screen('--list', list(HEITOR), '--ofac-score', 'Heitor Montalvao')).out).toMatch(
        /^1\.000 {2}OFAC 100 {2}Heitor Montalvão {2}/,
      );
      expect(
        JSON.parse((await screen('--list', list(HEITOR), '--ofac-score', '--json', 'Eitor Montalvao')).out),
      ).toMatchObject([{ ofacScore: 97 }]);
    },
    TIMEOUT,
  );

  it(
    'shows an exact name of a sanctions list whatever its date of birth, and of another list by its score',
    async () => {
      const of = (category: string) =>
        screen(
          '--list',
          list(`1,person,Heitor Montalvão,,1967-02-17,,,${category},`),
          '--born',
          '1991-10-30',
          'Heitor Montalvao',
        );
      expect(await of('sanction')).toMatchObject({
        status: 1,
        out: expect.stringMatching(/^0\.700 {2}Heitor Montalvão/),
      });
      expect(await of('watchlist')).toMatchObject({ status: 0, out: '' });
    },
    TIMEOUT,
  );

  it(
    'fails if a list cannot be read or the name cannot be screened',
    async () => {
      expect(await screen('--list', list('1,dog,Rex,,,,,,'), 'Ana Reis')).toMatchObject({
        status: 3,
        err: expect.stringContaining('line 2, type: must be one of person'),
      });
      expect(await screen('--list', `own=${join(folder, 'absent')}`, 'Ana Reis')).toMatchObject({
        status: 3,
        err: expect.stringContaining('there is no file'),
      });
      expect(await screen('--list', 'paper=x', 'Ana Reis')).toMatchObject({
        status: 2,
        err: expect.stringContaining('no format "paper"'),
      });
      expect(await screen('--list', list(HEITOR), '🙂')).toMatchObject({
        status: 2,
        err: expect.stringContaining('it is no name'),
      });
      expect(await screen('--list', list(HEITOR), '--threshold', '0.2', 'Ana Reis')).toMatchObject({
        status: 2,
        err: expect.stringContaining('--threshold takes a number from 0.50 to 1.00'),
      });
    },
    TIMEOUT,
  );
});
