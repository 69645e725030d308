/** Tests of mistakes on the command line of the project's scripts, and of its make targets. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, TIMEOUT, command, noTrace } from './command.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

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
