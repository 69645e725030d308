import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The package of the CLI. */
export const REDOCLY = dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json'));
/** It never calls home. */
export const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1', FORCE_COLOR: '0' };

export interface RedoclyResult { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs the Redocly CLI with this Node. */
export function redocly(args: readonly string[], cwd: string): Promise<RedoclyResult> {
  return new Promise((done) => {
    execFile(process.execPath, [join(REDOCLY, 'bin/cli.js'), ...args], { cwd, env: { ...process.env, ...QUIET }, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr });
    });
  });
}
