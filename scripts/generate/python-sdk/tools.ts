import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The version of a pinned Python tool. */
export function pinned(root: string, tool: string): string {
  const version = readFileSync(join(root, 'scripts/python-requirements.txt'), 'utf8').match(new RegExp(`^${tool}==(\\S+)$`, 'm'))?.[1];
  if (version === undefined) throw new Error(`scripts/python-requirements.txt does not pin ${tool}`);
  return version;
}

/** Runs a module of the project's Python environment; its output belongs to the error when it fails. */
export async function python(root: string, module: string, args: readonly string[]): Promise<void> {
  try {
    // Isolated from the caller's Python settings, so that everybody generates the same bytes.
    await run(join(root, '.venv/bin/python'), ['-I', '-m', module, ...args], { maxBuffer: 1 << 24 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${module} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
