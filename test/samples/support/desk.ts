/**
 * Global setup of the samples: a folder with both packages installed, as a reader has it. Named in their
 * vitest.config.ts. Needs `make sdks` before.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { jpeg, pdf } from '../../support/specimens.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGES = join(ROOT, 'build/packages');

/**
 * Prepares the reader's desk: a folder with both built packages installed and the files that samples send. The
 * dependencies of the Python package come from the project's environment; the tour shows that the package installs with
 * its dependencies.
 */
export default function setup(project: TestProject): () => void {
  const desk = mkdtempSync(join(tmpdir(), 'onboarding-desk-'));
  writeFileSync(join(desk, 'package.json'), '{ "type": "module" }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--offline', '--loglevel=error', built('.tgz')], {
    cwd: desk,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  execFileSync(join(ROOT, '.venv/bin/python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--no-index',
    '--no-compile',
    '--target',
    join(desk, 'python'),
    built('.whl'),
  ]);
  // curl fails on a refusal, as the SDKs do, and shows no progress.
  writeFileSync(join(desk, '.curlrc'), 'silent\nshow-error\nfail-with-body\n');
  writeFileSync(join(desk, 'passport.jpg'), jpeg());
  writeFileSync(join(desk, 'statement.pdf'), pdf());
  writeFileSync(join(desk, 'articles.pdf'), pdf());
  project.provide('desk', desk);
  return () => rmSync(desk, { recursive: true });
}

function built(ending: string): string {
  const name = readdirSync(PACKAGES).find((candidate) => candidate.endsWith(ending));
  if (name === undefined) throw new Error(`build/packages has no ${ending}: run make sdks`);
  return join(PACKAGES, name);
}

declare module 'vitest' {
  interface ProvidedContext {
    desk: string;
  }
}
