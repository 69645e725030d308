import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { locateBinaries } from '../../server/database/embedded/installation.ts';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly system: string;
  /** Of the last minute when the run began: what others did on the machine. */
  readonly load: number;
  readonly versions: Readonly<Record<string, string>>;
}

const PACKAGES = ['express', 'express-openapi-validator', 'pg', 'knex'];
const require = createRequire(import.meta.url);

export function describeMachine(): Machine {
  const all = cpus();
  const versions = Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)]));
  return {
    processor: all[0]?.model.trim() ?? 'unknown', cores: all.length, memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()}`, load: loadavg()[0] ?? Number.NaN,
    versions: { node: process.versions.node, postgres: postgresVersion(), ...versions },
  };
}

/** Read from the file, because not every package exports its manifest. */
function versionOf(name: string): string {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return (JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as { version: string }).version;
    } catch {
      // Not in this folder.
    }
  }
  return 'unknown';
}

function postgresVersion(): string {
  const text = execFileSync(locateBinaries().postgres, ['--version'], { encoding: 'utf8' });
  return /[\d.]+/.exec(text)?.[0] ?? text.trim();
}
