/**
 * Installs other runtimes for the tests of the TypeScript SDK. A step of `make test`. No check: without them the SDK is
 * tested on what is installed.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run, type Result } from './command.ts';

const FOLDER = resolve(import.meta.dirname, '../../build/runtimes');
const TIME = 120_000;

/**
 * Installs other runtimes for the TypeScript SDK, as scripts/test/runtimes/package-lock.json lists them. They are not
 * packages of the project, because no user should wait for them. If the registry has none for this machine, or is
 * unreachable, the SDK is tested on the runtimes that are installed. So this step is no check, and counts as none.
 */
export async function otherRuntimes(): Promise<Result> {
  mkdirSync(FOLDER, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(import.meta.dirname, 'runtimes', file), join(FOLDER, file));
  const { code } = await run('runtimes', 'timeout', [
    String(TIME / 1000),
    'npm',
    'install',
    '--prefix',
    FOLDER,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ]);
  const { runtimes } = await import('../../sdks/typescript/test/package/runtimes.ts');
  const names = runtimes()
    .map(({ name }) => name)
    .join(', ');
  return {
    passed: 0,
    failed: 0,
    figures: [
      `${names} are there${code === 0 ? '' : '; the others could not be installed, see build/test/runtimes.log'}`,
    ],
  };
}
