import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const PACKAGE = resolve(import.meta.dirname, '../..');
export const MODULES = resolve(PACKAGE, '../../node_modules');

const start = promisify(execFile);

/** Builds and packs the package into a folder; the path of the tarball. */
export function pack(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PACKAGE, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return join(folder, name.trim().split('\n').at(-1) ?? '');
}

/** An empty project in which nothing but the tarball is installed. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'sdk-consumer-'));

  constructor(tarball: string, manifest: object = {}) {
    writeFileSync(join(this.folder, 'package.json'), JSON.stringify({ name: 'consumer', version: '1.0.0', private: true, ...manifest }));
    cpSync(join(PACKAGE, 'test/consumer'), this.folder, { recursive: true });
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball], { cwd: this.folder, stdio: 'pipe' });
  }

  /** What a program prints; fails with what it complains of. */
  async run(file: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const { stdout } = await start(file, args, { cwd: this.folder, encoding: 'utf8', env: { ...process.env, ...environment } });
    return stdout;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}
