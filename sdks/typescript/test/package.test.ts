import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUDGETS, weigh } from '../scripts/size.ts';
import { VERSION } from '../src/index.ts';
import { inBrowser } from './package/in-browser.ts';
import { compile } from './package/compile.ts';
import { applicationsService } from './support/service.ts';
import { pack, PACKAGE, Project } from './support/installation.ts';
import { TestServer } from './support/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'sdk-package-'));
const server = await new TestServer().start();
const environment = { COMPLIANCE_BASE_URL: server.url, COMPLIANCE_API_KEY: 'kyc_test_Abcdefgh_secret' };
/** This Node, that of the system, and those named in NODES. */
const runtimes = [...new Set([process.execPath, '/usr/bin/node', ...(process.env['NODES'] ?? '').split(':')])].filter((path) => path !== '' && existsSync(path));
let tarball: string;
let project: Project;

beforeAll(() => {
  tarball = pack(join(folder, 'first'));
  project = new Project(tarball);
}, 120_000);
afterAll(() => {
  project[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const installed = (...path: string[]): string => join(project.folder, 'node_modules/compliance-onboarding', ...path);

describe('the packed package', () => {
  it('holds the build, its map, the README, the changes and nothing else', () => {
    expect(readdirSync(installed()).sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'api.md', 'dist', 'package.json']);
  });

  it('bears the version of the contract, depends on nothing, and says how it is loaded', () => {
    const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ name: 'compliance-onboarding', version: VERSION, license: 'Apache-2.0', sideEffects: false, engines: { node: '>=20' } });
    expect(Object.keys(manifest).filter((key) => /dependencies$/i.test(key))).toEqual([]);
    expect(readFileSync(installed('CHANGELOG.md'), 'utf8')).toContain(`## ${VERSION}`);
  });

  it('is the same to the last bit when it is built again', () => {
    const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
    expect(digest(pack(join(folder, 'second')))).toBe(digest(tarball));
  }, 120_000);

  for (const { title, source, gzip: budget } of BUDGETS) {
    it(`weighs at most ${budget} bytes as ${title}, minified and gzipped`, async () => {
      const { min, gzip } = await weigh(source, installed('dist'));
      console.log(`${title}: ${min} bytes minified, ${gzip} gzipped, of ${budget}`);
      expect(gzip).toBeLessThanOrEqual(budget);
    });
  }
});

describe('a project with nothing but the package', { timeout: 120_000 }, () => {
  for (const node of runtimes) {
    for (const file of ['tour.mjs', 'tour.cjs', 'worker.mjs']) {
      it(`runs ${file} on ${node === process.execPath ? 'this Node' : node}`, async () => {
        server.replies(applicationsService);
        expect(await project.run(node, [file], environment)).toContain(`${VERSION} on v`);
      });
    }
  }

  it('compiles strictly with exact optional properties, checking every declaration', async () => {
    const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
    expect(await compile(project, { module: 'nodenext', lib })).toBe('');
    expect(await compile(project, { module: 'esnext', moduleResolution: 'bundler', lib })).toBe('');
  });

  it('compiles strictly with the compiler of the 5.9 line', async () => {
    expect(await compile(project, { module: 'nodenext', lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'] }, 'typescript')).toBe('');
  });

  it('compiles for a Node program that knows no DOM', async () => {
    expect(await compile(project, { module: 'nodenext', lib: ['es2022'], types: ['node'] })).toBe('');
  });

  it('runs in a page of Chromium and in a worker, asking nobody but its service', async () => {
    const { results, strangers } = await inBrowser(installed('dist'), join(PACKAGE, 'test/consumer'), server, applicationsService);
    const expected = { id: 'a', ids: ['a', 'b'], missing: true, path: expect.stringContaining('Node'), flat: 'a' };
    expect(results).toEqual({ page: expected, worker: expected });
    expect(strangers).toEqual([]);
  });
});
