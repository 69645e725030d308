import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const here = join(import.meta.dirname, '..');
const modules = join(here, '../../node_modules');
const folder = mkdtempSync(join(tmpdir(), 'sdk-consumer-'));
const run = (file: string, args: string[], cwd = folder): string => execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Builds, packs and unpacks the package into an empty folder, as an installation would. */
beforeAll(() => {
  run('npm', ['pack', '--silent', '--pack-destination', folder], here);
  const target = join(folder, 'node_modules/compliance-onboarding');
  mkdirSync(target, { recursive: true });
  run('tar', ['-xzf', 'compliance-onboarding-1.0.0.tgz', '-C', target, '--strip-components=1']);
  cpSync(join(here, 'test/consumer'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

function compile(compilerOptions: object): string {
  const options = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, noEmit: true, target: 'es2022', types: [], ...compilerOptions };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }));
  try {
    return run(process.execPath, [join(modules, 'typescript-native/bin/tsc'), '-p', folder]);
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  }
}

describe('the packed package', () => {
  it('holds the build, its map, the README and nothing else', () => {
    const files = readdirSync(join(folder, 'node_modules/compliance-onboarding')).sort();
    expect(files).toEqual(['LICENSE', 'README.md', 'api.md', 'dist', 'package.json']);
  });

  it('compiles for a strict consumer with exact optional properties, checking every declaration', () => {
    expect(compile({ module: 'nodenext', lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'] })).toBe('');
    expect(compile({ module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'] })).toBe('');
  });

  it('compiles for a Node program that knows no DOM', () => {
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types']) cpSync(join(modules, name), join(folder, 'node_modules', name), { recursive: true });
    expect(compile({ module: 'nodenext', lib: ['es2022'], types: ['node'] })).toBe('');
  });

  it('runs as an ES module and as CommonJS', () => {
    expect(run(process.execPath, ['run.mjs'])).toBe('ok\n');
  });
});
