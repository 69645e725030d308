/** Tests of the packed package: its files, its size, and how programs and browsers load it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weighAll } from '../scripts/size.ts';
import { VERSION } from '../src/index.ts';
import { inBrowser } from './package/in-browser.ts';
import { compile } from './package/compile.ts';
import { runtimes } from './package/runtimes.ts';
import { applicationsService } from './support/service.ts';
import { pack, PACKAGE, packed, Project } from './support/installation.ts';
import { TestServer } from './support/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'sdk-package-'));
const server = await new TestServer().start();
const environment = { COMPLIANCE_BASE_URL: server.url, COMPLIANCE_API_KEY: 'kyc_test_Abcdefgh_secret' };
let tarball: string;
let project: Project;

beforeAll(async () => {
  tarball = await packed();
  project = new Project(tarball);
}, 120_000);
afterAll(() => {
  project[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const installed = (...path: string[]): string => join(project.folder, 'node_modules/compliance-onboarding', ...path);

describe('the packed package', () => {
  it('contains the build, its sources, the map of the calls, the README, the changes and nothing else', () => {
    expect(readdirSync(installed()).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'api.md',
      'dist',
      'package.json',
      'src',
    ]);
  });

  it('bears its version, depends on nothing, and says how it is loaded', () => {
    const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      name: 'compliance-onboarding',
      version: VERSION,
      license: 'Apache-2.0',
      sideEffects: false,
      engines: { node: '>=20' },
    });
    expect(Object.keys(manifest).filter((key) => /dependencies$/i.test(key))).toEqual([]);
    expect(readFileSync(installed('CHANGELOG.md'), 'utf8')).toContain(`## ${VERSION}`);
  });

  it('links to sources that it contains, from the map of the calls and from the maps of the build', () => {
    const links = [...readFileSync(installed('api.md'), 'utf8').matchAll(/\]\((src\/[^)]+)\)/g)].map(
      ([, path = '']) => path,
    );
    const maps = readdirSync(installed('dist'))
      .filter((name) => name.endsWith('.map'))
      .flatMap((name) =>
        (
          JSON.parse(readFileSync(installed('dist', name), 'utf8')) as { readonly sources: readonly string[] }
        ).sources.map((source) => join('dist', source)),
      );
    expect(links.length).toBeGreaterThan(10);
    expect(maps.length).toBeGreaterThan(20);
    expect([...links, ...maps].filter((path) => !existsSync(installed(path)))).toEqual([]);
  });

  it('is the same to the last bit when it is built again', () => {
    const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
    expect(digest(pack(join(folder, 'second')))).toBe(digest(tarball));
  }, 120_000);

  it('weighs no more than its budgets, minified and gzipped', async () => {
    const weights = await weighAll(installed('dist'));
    for (const { title, gzip, later, budget } of weights)
      console.log(`${title}: ${gzip} bytes of ${budget}, and ${later} when they are needed`);
    expect(weights.filter(({ gzip, budget }) => gzip > budget)).toEqual([]);
  });
});

describe('a project with only the package', { timeout: 120_000 }, () => {
  for (const { name, command, args } of runtimes()) {
    for (const file of ['tour.mjs', 'tour.cjs', 'worker.mjs']) {
      it(`runs ${file} on ${name}`, async () => {
        server.replies(applicationsService);
        expect(await project.run(command, [...args, file], environment)).toContain(`${VERSION} on v`);
      });
    }
  }

  it('compiles strictly with exact optional properties, checking every declaration', async () => {
    const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
    expect(await compile(project, { module: 'nodenext', lib })).toBe('');
    expect(await compile(project, { module: 'esnext', moduleResolution: 'bundler', lib })).toBe('');
  });

  it('compiles strictly with the compiler of the 5.9 line', async () => {
    expect(
      await compile(
        project,
        { module: 'nodenext', lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'] },
        'typescript',
      ),
    ).toBe('');
  });

  it('compiles strictly with the oldest compiler that is supported, also if it resolves modules as Node 10 did', async () => {
    const lib = ['es2022', 'dom', 'dom.iterable'];
    expect(await compile(project, { module: 'nodenext', lib }, 'typescript-oldest')).toBe('');
    expect(await compile(project, { module: 'commonjs', moduleResolution: 'node', lib }, 'typescript-oldest')).toBe('');
  });

  it('compiles for a Node program that knows no DOM', async () => {
    expect(await compile(project, { module: 'nodenext', lib: ['es2022'], types: ['node'] })).toBe('');
  });

  it('runs in a page of Chromium and in a worker, asking nobody but its service', async () => {
    const { results, strangers } = await inBrowser(
      installed('dist'),
      join(PACKAGE, 'test/consumer'),
      server,
      applicationsService,
    );
    const expected = {
      id: 'a',
      ids: ['a', 'b'],
      missing: true,
      path: expect.stringContaining('Node'),
      flat: 'a',
    };
    expect(results).toEqual({ page: expected, worker: expected });
    expect(strangers).toEqual([]);
  });
});
