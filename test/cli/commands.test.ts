import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startedDataDirectory } from '../../scripts/test/live-service.ts';
import { readConfig } from '../../server/base/config.ts';
import { loadSecrets } from '../../server/base/secrets.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { rolePassword } from '../../server/database/login.ts';
import { withClient } from '../../server/database/pool.ts';
import { silent } from '../support/silent.ts';

const ROOT = join(import.meta.dirname, '../..');
const TIMEOUT = 90_000;
const { PATH, NODE_COMPILE_CACHE } = process.env;
const INHERITED = { PATH, NODE_COMPILE_CACHE };
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Said {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command that must end by itself; a command that does not end fails the test instead of blocking it. */
async function command(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Said> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...INHERITED, ...env },
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    out += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    err += text.toString();
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, out, err };
}

/** Matches output without a line of a stack trace. */
const noTrace = expect.not.stringMatching(/^\s+at .*:\d+:\d+\)?$/m);

describe('a slip on the command line', () => {
  it.each([
    'test',
    'quick',
    'generate',
    'dev',
    'mock',
    'diff',
    'changelog',
    'export-audit',
    'previous-sdk',
    'screen',
    'contract-diff/mutations/main',
  ])(
    'is reported by %s in a sentence, with status 2',
    async (script) => {
      const { status, out, err } = await command([`scripts/${script}.ts`, '--nonsense']);
      expect([status, out, err]).toEqual([2, '', expect.stringContaining("'--nonsense'")]);
      expect(err).toEqual(noTrace);
    },
    TIMEOUT,
  );

  it(
    'in the name of a step does not count as a successful run: the steps are named',
    async () => {
      const { status, out, err } = await command(['scripts/test.ts', '--only', 'contract lint', '--only', 'nonsense']);
      expect([status, out]).toEqual([2, '']);
      expect(err).toMatch(/No step has "nonsense" in its name\.[^]*contract lint\n[^]*pages in a browser/);
    },
    TIMEOUT,
  );

  it(
    'in the request of a quick check is reported, and CI is told to run everything',
    async () => {
      expect(await command(['scripts/quick.ts', '--only', 'server/nowhere'])).toMatchObject({
        status: 2,
        err: expect.stringContaining('No file is at or below server/nowhere'),
      });
      expect(await command(['scripts/quick.ts', '--seconds', 'few'])).toMatchObject({
        status: 2,
        err: expect.stringContaining('--seconds takes a number above 0'),
      });
      expect(await command(['scripts/quick.ts'], { CI: 'true' })).toMatchObject({
        status: 2,
        out: '',
        err: expect.stringContaining('CI runs make test'),
      });
    },
    TIMEOUT,
  );

  it.each(['QUICK_OPERATIONS', 'QUICK_CLUSTER'])(
    'cannot leave tests out of a whole run: %s is refused',
    async (name) => {
      expect(
        await command(['scripts/test.ts', '--only', 'contract is formatted'], { [name]: 'getSandbox' }),
      ).toMatchObject({ status: 2, out: '', err: expect.stringContaining(`${name} would leave tests out`) });
    },
    TIMEOUT,
  );

  it.each(['abc', '-1', '65536', '80.5', ''])(
    'in the port of the mock is reported: %j',
    async (port) => {
      const { status, err } = await command(['scripts/mock.ts', `--port=${port}`]);
      expect([status, err]).toEqual([2, expect.stringContaining('The port must be a number from 0 to 65535')]);
    },
    TIMEOUT,
  );
});

describe('an address that is in use or invalid', () => {
  it(
    'is reported by the mock and by the service in a sentence',
    async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const port = String((other.address() as AddressInfo).port);
      const sentence = `Port ${port} of 127.0.0.1 is taken by another program. Stop that, or set PORT to another port.`;
      const mock = await command(['scripts/mock.ts', '--port', port]);
      expect(mock).toEqual({ status: 1, out: '', err: `${sentence}\n` });
      const dataDir = await startedDataDirectory();
      const service = await command(['server/main.ts'], { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'warn' });
      expect(service).toEqual({ status: 1, out: '', err: `\n${sentence}\n\n` });
      const nowhere = await command(['server/main.ts'], {
        DATA_DIR: dataDir,
        HOST: 'nowhere.invalid',
        PORT: '0',
        LOG_LEVEL: 'warn',
      });
      expect(nowhere).toMatchObject({
        status: 1,
        err: '\nThere is no host nowhere.invalid. Set HOST to a name or an address of this machine.\n\n',
      });
      other.close();
      rmSync(dataDir, { recursive: true });
    },
    TIMEOUT,
  );
});

describe('a data directory from before the first release', () => {
  it(
    'is refused in a sentence that says what to do',
    async () => {
      const dataDir = await startedDataDirectory();
      const password = rolePassword('superuser', loadSecrets(readConfig({ DATA_DIR: dataDir })));
      const server = await startEmbedded({ dataDir, superuser: 'postgres', password, durable: true, log: silent });
      const { host, port } = server;
      await withClient({ host, port, database: 'compliance', user: 'postgres', password, ssl: false }, (client) =>
        client.query(`UPDATE schema_migration SET name = '0001-tenants'`),
      );
      await server.stop();
      expect(await command(['server/main.ts'], { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' })).toEqual({
        status: 1,
        out: '',
        err:
          '\nThe database was created by a version from before the first release, and no version migrates it. ' +
          'Keep a copy of it if its contents are still needed, and start with a new one: set DATA_DIR to a new folder, ' +
          'or DATABASE_URL to a new database.\n\n',
      });
      rmSync(dataDir, { recursive: true });
    },
    TIMEOUT,
  );
});

describe('a DATA_DIR that cannot be used', () => {
  const start = (dataDir: string, env = {}) =>
    command(['server/main.ts'], {
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    });
  const refused = (dataDir: string) => ({
    status: 1,
    out: '',
    err: expect.stringMatching(
      new RegExp(
        '^\\n' +
          `DATA_DIR ${dataDir} cannot be used \\(.*\\)\\. Set DATA_DIR to a folder in which ` +
          'this account can write\\.\\n' +
          '\\n' +
          '$',
      ),
    ),
  });

  it(
    'because it is a file, or lies below one',
    async () => {
      const file = join(folder, 'file');
      writeFileSync(file, '');
      expect(await start(file)).toEqual(refused(file));
      expect(await start(join(file, 'below'))).toEqual(refused(join(file, 'below')));
    },
    TIMEOUT,
  );

  // Node's own recursive mkdir would never return for it.
  it.runIf(process.platform === 'linux')(
    'because the system cannot create it, ends at once',
    async () => {
      expect(await start('/proc/nope/data')).toEqual(refused('/proc/nope/data'));
      expect(
        await command(['scripts/platform-admin.ts', '--email', 'a@example.com', '--name', 'A'], {
          DATA_DIR: '/proc/nope',
        }),
      ).toMatchObject({ status: 1, err: expect.stringContaining('cannot be used') });
      expect(await command(['scripts/dev.ts'], { DATA_DIR: '/proc/nope' })).toMatchObject({ status: 1, err: noTrace });
    },
    TIMEOUT,
  );

  it(
    'because a file blocks what the service stores there',
    async () => {
      const dataDir = join(folder, 'occupied');
      mkdirSync(join(dataDir, 'secret'), { recursive: true });
      const { status, err } = await start(dataDir);
      expect([status, err]).toEqual([1, expect.stringContaining(`${dataDir}/secret`)]);
      expect(err).toEqual(noTrace);
    },
    TIMEOUT,
  );
});

describe('commands of guides', () => {
  /** Simulates an older Node for the launcher by overriding the version. */
  const older = [
    '--import',
    `data:text/javascript,${encodeURIComponent("Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})")}`,
  ];

  it.each(['platform-admin', 'export-audit'])(
    '%s runs on the Node of the project when it is called with an older one',
    async (name) => {
      const { status, out } = await command([...older, `scripts/${name}.mjs`, '--help']);
      expect([status, out]).toEqual([0, expect.stringContaining(`Usage: node scripts/${name}.mjs`)]);
      expect((await command([...older, `scripts/${name}.mjs`, '--nonsense'])).status).toBe(2);
      expect((await command([`scripts/${name}.mjs`, '--help'])).out).toBe(out);
    },
    TIMEOUT,
  );

  it(
    'say in a sentence what to do if the project has no Node',
    async () => {
      const scripts = join(folder, 'elsewhere/scripts');
      mkdirSync(scripts, { recursive: true });
      for (const name of ['project-node.mjs', 'platform-admin.mjs'])
        writeFileSync(join(scripts, name), readFileSync(join(ROOT, 'scripts', name)));
      const { status, err } = await command([...older, join(scripts, 'platform-admin.mjs')]);
      expect([status, err]).toEqual([
        3,
        expect.stringMatching(
          /^This needs Node 24 or later and runs on v\S+\. Run npm ci in the folder of the project, which brings one, or install it\.\n$/,
        ),
      ]);
    },
    TIMEOUT,
  );

  it('include none that an older Node cannot run', () => {
    const guides = [
      'README.md',
      ...['audit', 'ci', 'developers', 'operators', 'administrators', 'api-designers'].map(
        (name) => `docs/guides/${name}.md`,
      ),
    ];
    const printed = guides.flatMap((guide) =>
      [...readFileSync(join(ROOT, guide), 'utf8').matchAll(/(?<!npx )node (?:scripts|server)\/\S+\.ts/g)].map(
        ([call]) => `${guide}: ${call}`,
      ),
    );
    expect(printed).toEqual([]);
  });
});

describe('make', () => {
  const make = (args: readonly string[], env = {}) =>
    spawnSync('make', ['-C', ROOT, '--no-print-directory', ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...env },
    });

  it('bench creates the Python environment that it needs first', () => {
    expect(make(['--dry-run', 'bench', `PYTHON=${join(folder, 'no-such-environment')}`]).stdout).toMatch(
      /scripts\/python\.sh[^]*scripts\/bench\/main\.ts/,
    );
  });

  it(
    'changelog says why it writes nothing',
    async () => {
      const root = join(folder, 'released');
      for (const below of ['docs', 'sdks/typescript', 'sdks/python']) mkdirSync(join(root, below), { recursive: true });
      writeFileSync(join(root, 'openapi.yaml'), readFileSync(join(ROOT, 'scripts/generate/fixtures/contract.yaml')));
      const write = () => command(['scripts/changelog.ts', '--root', root]);
      expect((await write()).out).toContain('docs/changelog.md: ');
      expect((await write()).out).toContain('begins with 1.0.0; there is no earlier release to compare with');
    },
    TIMEOUT,
  );

  it(
    'shows the progress of npm, and ends as npm ends',
    () => {
      const place = join(folder, 'install');
      mkdirSync(join(place, 'bin'), { recursive: true });
      writeFileSync(
        join(place, 'bin/npm'),
        '#!/bin/sh\n' +
          'mkdir -p node_modules/a node_modules/@b/c\n' +
          'touch node_modules/a/package.json node_modules/@b/c/package.json\n' +
          'sleep 6\n' +
          'exit 7\n',
      );
      chmodSync(join(place, 'bin/npm'), 0o755);
      const { status, stdout } = spawnSync('sh', [join(ROOT, 'scripts/install.sh')], {
        cwd: place,
        encoding: 'utf8',
        env: { PATH: `${join(place, 'bin')}:${process.env['PATH']}` },
      });
      expect([status, stdout]).toEqual([7, expect.stringMatching(/^Installing .*\n {2}… 2 packages after 4 s\n/)]);
    },
    TIMEOUT,
  );
});

describe('a name is screened against lists in files', () => {
  const list = (rows: string): string => {
    const file = join(folder, 'own.csv');
    writeFileSync(file, `key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks\n${rows}\n`);
    return `own=${file}`;
  };
  const screen = (...args: string[]) => command(['scripts/screen.ts', ...args]);
  const HEITOR = '1,person,Heitor Montalvão,,1967-02-17,BR,,watchlist,';

  it(
    'and the hits are printed with their reasons, status 1 for some and 0 for none',
    async () => {
      const found = await screen('--list', list(HEITOR), '--born', '1967', 'Eitor Montalvao');
      expect([found.status, found.err]).toEqual([1, expect.stringContaining('1 entities')]);
      expect(found.out).toMatch(
        /^0\.\d{3} {2}Heitor Montalvão {2}\(own 1\)\n {8}\+0\.\d{3} {2}exact: montalvao ~ montalvao\n[^]*date_of_birth_year_equal: 1967 ~ 1967-02-17\n$/,
      );
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
    'and an exact name of a list of sanctions is shown whatever the date is, and of another list by its score',
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
    'but not if a list cannot be read, or if it is no name',
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
