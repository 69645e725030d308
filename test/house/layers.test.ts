/** Tests of the layers: what may import what, where SQL may stand, and how long a file may be. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';
import { modules as registered } from '../../server/modules.ts';
import { rules } from './layers.ts';

const ROOT = join(import.meta.dirname, '../..');
const { output } = await cruise(['server'], {
  ruleSet: { forbidden: [...rules] },
  validate: true,
  tsPreCompilationDeps: true,
  exclude: { path: '/generated/' },
  doNotFollow: { path: 'node_modules' },
});
const { modules, summary } = output as ICruiseResult;

describe('The house', () => {
  it('is seen whole', () => {
    expect(modules.filter(({ source }) => source.startsWith('server/')).length).toBeGreaterThan(300);
  });

  it.each(rules.map(({ name }) => name as string))('%s', (name) => {
    expect(
      summary.violations.filter(({ rule }) => rule.name === name).map(({ from, to }) => `${from} → ${to}`),
    ).toEqual([]);
  });

  it('has a line for every module, under the name of its folder', () => {
    expect(registered.map(({ name }) => name)).toEqual(
      globSync('server/modules/*/', { cwd: ROOT })
        .map((folder) => basename(folder))
        .sort(),
    );
  });

  it('writes SQL in stores only', () => {
    const files = globSync('server/{pages,modules,simulators,tasks,rules,request,identity,providers}/**/*.ts', {
      cwd: ROOT,
    }).filter((path) => !/store\.ts$|\.test\.ts$|\/testing\//.test(path));
    const writing = files.filter((path) =>
      /^import [^;]*\b(?:statement|sql|knex)\b[^;]* from '[./]+\/database\//m.test(
        readFileSync(join(ROOT, path), 'utf8'),
      ),
    );
    expect(writing).toEqual([]);
  });

  it('has no hand-written file of more than 300 lines', () => {
    const files = globSync('{server,scripts,test,sdks}/**/*.{ts,tsx,js,mjs,css,py}', {
      cwd: ROOT,
      exclude: (path) => /node_modules|_?generated$|^dist$|\.venv|build$/.test(path.toString()),
    });
    expect(files.length).toBeGreaterThan(700);
    expect(
      files.filter(
        (path) => !/generated\/|\/dist\//.test(path) && readFileSync(join(ROOT, path), 'utf8').split('\n').length > 301,
      ),
    ).toEqual([]);
  });
});
