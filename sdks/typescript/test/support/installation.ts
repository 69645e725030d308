/**
 * Packs the package once per run and installs it in empty projects. Used by package.test.ts. A build that fails fails
 * every test of the package.
 */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import './packages.ts';

export const PACKAGE = resolve(import.meta.dirname, '../..');
export const MODULES = resolve(PACKAGE, '../../node_modules');

const start = promisify(execFile);

/** Builds and packs the package into a folder; the path of the tarball. */
export function pack(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: PACKAGE,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return join(folder, name.trim().split('\n').at(-1) ?? '');
}

/**
 * The tarball that all files of a run share: the first that asks for it makes it. A build that fails fails everywhere.
 */
export async function packed(): Promise<string> {
  const [tarball, failure] = ['package.tgz', 'failure'].map((name) => join(inject('packages'), name)) as [
    string,
    string,
  ];
  if (isFirst(join(inject('packages'), 'begun'))) {
    try {
      renameSync(pack(join(inject('packages'), 'made')), tarball);
    } catch (error) {
      writeFileSync(failure, String(error));
    }
  }
  while (!existsSync(tarball)) {
    if (existsSync(failure)) throw new Error('the package cannot be made');
    await sleep(100);
  }
  return tarball;
}

/** To make a folder succeeds once. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** An empty project in which nothing but the tarball is installed. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'sdk-consumer-'));

  constructor(tarball: string, manifest: object = {}) {
    writeFileSync(
      join(this.folder, 'package.json'),
      JSON.stringify({
        name: 'consumer',
        version: '1.0.0',
        private: true,
        ...manifest,
      }),
    );
    cpSync(join(PACKAGE, 'test/consumer'), this.folder, { recursive: true });
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball], {
      cwd: this.folder,
      stdio: 'pipe',
    });
  }

  /** What a program prints; fails with what it complains of. */
  async run(
    file: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { stdout } = await start(file, args, {
      cwd: this.folder,
      encoding: 'utf8',
      env: { ...process.env, ...environment },
    });
    return stdout;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}
