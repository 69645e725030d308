/** Tests of the command that imports, lists and rolls back watch lists. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchLists } from '../../scripts/watch-lists/command.ts';
import { createTestDatabase, type TestDatabase, testSecret } from '../support/postgres.ts';
import { OFAC_ALT } from '../support/watch-lists.ts';
import { inProcess } from './in-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIMEOUT = 120_000;
const { PATH, NODE_COMPILE_CACHE } = process.env;

let folder: string;
let database: TestDatabase;
let env: NodeJS.ProcessEnv;
/** An OFAC list in CSV consists of two files, the second with aliases. */
let OFAC: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compliance-lists-'));
  OFAC = ['--format', 'ofac-csv', '--with', `alt=${await fileOf('alt.csv', String(OFAC_ALT))}`];
  database = await createTestDatabase();
  await database.sql('TRUNCATE watch_list_version, watch_list_file, watch_list_entity');
  const { host, port, user, password, database: name } = database.superuser;
  env = {
    PATH,
    NODE_COMPILE_CACHE,
    DATA_DIR: folder,
    SERVICE_SECRET: testSecret,
    DATABASE_URL: `postgresql://${user}:${password}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
  };
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/watch-lists.ts', ...args], { cwd: ROOT, env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** The same in this process. */
const order = (...args: string[]) => inProcess(watchLists, args, env);

const NOTHING = '-0- ,'.repeat(8);
const rowsOf = (numbers: readonly number[], remarks = '-0- '): string =>
  numbers
    .map(
      (number) =>
        `${number},"REIS, Pessoa ${number.toString(36)}",individual,"SDGT",${NOTHING.slice(0, -1).split(',').slice(0, 7).join(',')},${remarks}`,
    )
    .join('\r\n');
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
async function fileOf(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

describe('watch-lists', () => {
  it(
    'imports a list, shows its age, lists its changes and rolls it back, in words',
    async () => {
      const [first, second] = [
        await fileOf('1.csv', rowsOf(upTo(3100))),
        await fileOf('2.csv', rowsOf(upTo(3101), '"nationality Brazil."')),
      ];
      expect((await order('status')).out).toMatch(/^un-csnu +never imported \(mandatory\)$/m);
      expect(await run('import', 'ofac-sdn', first, ...OFAC, '--version', 'one')).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^ofac-sdn: one is active, with 3100 entries: 3100 new, 0 changed/),
      });
      expect((await order('import', 'ofac-sdn', first, ...OFAC)).out).toBe('ofac-sdn: one is active already\n');
      expect((await order('import', 'ofac-sdn', second, ...OFAC, '--version', 'two')).out).toMatch(
        /two is active, with 3101 entries: 1 new, 3100 changed \(3100 of them/,
      );
      expect((await order('preview', 'ofac-sdn', first, ...OFAC)).out).toBe(
        '0 screened: 0 new hits, 0 lost, 0 with another score\n',
      );
      expect((await order('preview-release')).out).toBe('0 screened: 0 new hits, 0 lost, 0 with another score\n');
      expect((await order('changes', 'ofac-sdn')).out.split('\n').filter((line) => line.startsWith('new'))).toEqual([
        expect.stringContaining('3101  Pessoa 2e5 REIS'),
      ]);
      expect((await order('roll-back', 'ofac-sdn', 'one')).out).toMatch(
        /one is active, with 3100 entries: 0 new, 3100 changed \(3100 of them .*\), 1 gone/,
      );
      const status = await run('status');
      expect([status.code, status.out]).toEqual([
        4,
        expect.stringMatching(/^ofac-sdn +one +3100 entries, looked at 0 h ago$/m),
      ]);
    },
    TIMEOUT,
  );

  it(
    'refuses a list without one of its files, and an older publication unless it is requested, ' +
      'and lists the omitted names',
    async () => {
      const main = await fileOf('1.csv', rowsOf(upTo(3100)));
      expect(await run('import', 'ofac-sdn', main, '--format', 'ofac-csv')).toEqual({
        code: 3,
        out: '',
        err: 'alt is missing: a list of ofac-csv is whole only with it\n',
      });
      expect(await order('import', 'ofac-sdn', main, ...OFAC, '--with', 'more=x')).toEqual({
        code: 3,
        out: '',
        err: 'more must be left out: ofac-csv has no such file\n',
      });
      const un = (day: string, alias: string): Promise<string> =>
        fileOf(
          `un-${day}.xml`,
          `<CONSOLIDATED_LIST dateGenerated="${day}T08:00:00"><INDIVIDUALS>${upTo(300)
            .map(
              (number) =>
                `<INDIVIDUAL><DATAID>${number}</DATAID><FIRST_NAME>Pessoa ${number.toString(36)}</FIRST_NAME><REFERENCE_NUMBER>QDi.${number}</REFERENCE_NUMBER><INDIVIDUAL_ALIAS><ALIAS_NAME>${number === 7 ? alias : ''}</ALIAS_NAME></INDIVIDUAL_ALIAS></INDIVIDUAL>`,
            )
            .join('')}</INDIVIDUALS></CONSOLIDATED_LIST>`,
        );
      const [newer, older] = [await un('2026-11-20', 'Reis'), await un('2020-11-23', 'R\uFFFDis')];
      expect((await order('import', 'un-csnu', newer)).out).toMatch(/^un-csnu: 2026-11-20\.[0-9a-f]{8} is active/);
      expect(await order('import', 'un-csnu', older)).toEqual({
        code: 3,
        out: '',
        err: 'the file was published on 2020-11-23, before the active version (2026-11-20)\n',
      });
      expect(await order('import', 'un-csnu', older, '--published', '2026-11-24')).toEqual({
        code: 3,
        out: '',
        err: 'the file says that it was published on 2020-11-23, and not on 2026-11-24\n',
      });
      expect((await order('import', 'un-csnu', older, '--may-be-older')).out.split('\n').slice(1)).toEqual([
        '1 names cannot be used and are left out of their entries:',
        '  damaged: "R\uFFFDis" of 7, entry QDi.7',
        '',
      ]);
      expect((await order('status')).out).toMatch(
        /^un-csnu .*published 2020-11-23, longer ago than the usual 60 days, 1 names left out$/m,
      );
    },
    TIMEOUT,
  );

  it(
    'says why a file is refused, and which version or list does not exist',
    async () => {
      expect(await order('import', 'un-csnu', await fileOf('empty.xml', ''))).toEqual({
        code: 3,
        out: '',
        err: 'the file is empty\n',
      });
      expect(await order('import', 'un-csnu', join(folder, 'none.xml'))).toEqual({
        code: 3,
        out: '',
        err: `there is no file ${join(folder, 'none.xml')}\n`,
      });
      expect(await run('roll-back', 'ofac-sdn', 'none')).toEqual({
        code: 1,
        out: '',
        err: 'There is no version none of ofac-sdn.\n',
      });
      expect(await order('changes', 'eu-fsf')).toEqual({
        code: 1,
        out: '',
        err: 'No version of eu-fsf was imported.\n',
      });
    },
    TIMEOUT,
  );

  it.each([
    [['import', 'nobody-knows', 'x'], 'There is no list "nobody-knows"'],
    [['import', 'un-csnu'], 'import takes a LIST and a FILE'],
    [['preview', 'un-csnu'], 'preview takes a LIST and a FILE'],
    [['roll-back', 'un-csnu'], 'roll-back takes a LIST and a VERSION'],
    [['import', 'un-csnu', 'x', '--format', 'ofac-csv'], 'un-csnu is published as un-xml'],
    [['import', 'un-csnu', 'x', '--published', 'today'], '--published takes a day'],
    [['import', 'un-csnu', 'x', '--sha256', 'abc'], '--sha256 takes 64'],
    [['import', 'un-csnu', 'x', '--with', 'alt'], '--with takes ROLE=FILE'],
    [['import', 'un-csnu', 'x', '--version', 'a b'], '--version takes'],
    [['changes', 'un-csnu', 'x'], 'changes takes a LIST and nothing else'],
    [[], 'Say what to do'],
    [['destroy'], 'Say what to do'],
    [['status', '--all'], "Unknown option '--all'"],
  ])('refuses %j in one line', async (args, sentence) => {
    const { code, out, err } = await run(...args);
    expect([code, out, err.trim().split('\n')]).toEqual([2, '', [expect.stringContaining(sentence)]]);
  });

  it(
    'leaves no part of a version if it is killed in the middle',
    async () => {
      const before = await database.sql(`SELECT sequence FROM watch_list_version ORDER BY sequence`);
      const child = spawn(
        process.execPath,
        [
          'scripts/watch-lists.ts',
          'import',
          'ofac-sdn',
          await fileOf('3.csv', rowsOf(upTo(40_000))),
          ...OFAC,
          '--may-shrink',
        ],
        { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'pipe'] },
      );
      await new Promise<void>((resolve) =>
        child.stderr.on('data', (text: Buffer) => void (text.toString().includes('20000 entities') && resolve())),
      );
      child.kill('SIGKILL');
      await once(child, 'exit');
      await expect
        .poll(() =>
          database.sql(
            "SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'compliance%' AND state = 'idle in " +
              "transaction' AND datname = current_database()",
          ),
        )
        .toEqual([]);
      expect(await database.sql(`SELECT sequence FROM watch_list_version ORDER BY sequence`)).toEqual(before);
      expect(
        await database.sql(`SELECT 1 FROM watch_list_entity WHERE from_sequence > 3 OR to_sequence > 3 LIMIT 1`),
      ).toEqual([]);
      expect(await order('import', 'ofac-sdn', join(folder, '3.csv'), ...OFAC)).toMatchObject({
        code: 0,
        out: expect.stringContaining('with 40000 entries: 36900 new'),
      });
    },
    TIMEOUT,
  );
});
