import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

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

export interface Finding {
  readonly rule: string;
  readonly severity: 'error' | 'warn';
  readonly message: string;
  /** `openapi.yaml:12:7` */
  readonly place: string;
}

interface RedoclyProblem {
  readonly ruleId: string;
  readonly severity: 'error' | 'warn';
  readonly message: string;
  readonly location: readonly { readonly source: { readonly ref: string }; readonly start?: { readonly line: number; readonly col: number } }[];
}

export const lintConfig = 'scripts/lint/redocly.yaml';

/** Runs the Redocly CLI in a folder. */
type Runner = (args: readonly string[], cwd: string) => Promise<RedoclyResult>;

/** Lints contracts with the recommended and the house rules; any finding at all counts as a failure. */
export async function lint(root: string, files: readonly string[], config = lintConfig, run: Runner = redocly): Promise<Finding[]> {
  const { stdout, stderr } = await run(['lint', ...files, '--config', join(root, config), '--format', 'json', '--max-problems', '1000'], root);
  // One report per file, one after the other, without a line break between them.
  const reports = stdout.replaceAll(/^\}\{$/gm, '}\n{').match(/^\{$[\s\S]*?^\}$/gm) ?? [];
  if (reports.length !== files.length) throw new Error(`the linter did not run:\n${stderr}${stdout}`);
  const problems = reports.flatMap((report) => (JSON.parse(report) as { readonly problems: readonly RedoclyProblem[] }).problems);
  return problems.map(({ ruleId, severity, message, location: [first] }) => ({
    rule: ruleId,
    severity,
    message,
    place: first === undefined ? '' : `${relative(root, join(root, first.source.ref))}:${first.start?.line ?? 1}:${first.start?.col ?? 1}`,
  }));
}

/** The project's own Python environment, made by `scripts/python.sh` from the pinned list; `consequence` is what cannot be done without. */
export function requirePython(root: string, consequence: string): void {
  if (existsSync(join(root, '.venv/bin/ruff'))) return;
  throw new MissingTool(
    `${consequence}: the Python environment .venv is missing. Install Python 3.11 or newer with its `
    + 'venv module (Debian and Ubuntu: python3 python3-venv; Fedora: python3; macOS: brew install python), '
    + 'then run scripts/python.sh and repeat.',
  );
}

/** Runs the project's Python; what it says belongs to the error when it fails. */
export async function python(root: string, args: readonly string[], input = ''): Promise<void> {
  // Isolated from the caller's Python settings, so that everybody generates the same bytes.
  const running = promisify(execFile)(join(root, '.venv/bin/python'), ['-I', ...args], { maxBuffer: 1 << 24 });
  running.child.stdin?.end(input);
  try {
    await running;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`python ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** A tool of the host is missing; the message says what to install. `make generate` then ends with status 3. */
export class MissingTool extends Error {
  override readonly name = 'MissingTool';
}
