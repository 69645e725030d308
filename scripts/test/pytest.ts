import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOGS, run, tail } from './command.ts';
import type { Result } from './result.ts';

/** Runs pytest in the project's Python environment and reads its JUnit report. A skipped test counts as a failure. */
export async function pytest(name: string, folder: string, paths: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Result> {
  const xml = join(LOGS, `${name}.xml`);
  const { output } = await run(name, '.venv/bin/python', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--rootdir', folder, '-c', join(folder, 'pyproject.toml'), `--junitxml=${xml}`, ...paths], env);
  const suite = /<testsuite [^>]*>/.exec(readText(xml))?.[0];
  if (suite === undefined) return { passed: 0, failed: 1, complaint: tail(output) };
  const count = (attribute: string) => Number(new RegExp(` ${attribute}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  const failed = count('errors') + count('failures') + count('skipped');
  const passed = count('tests') - failed;
  return { passed, failed: passed + failed === 0 ? 1 : failed, complaint: tail(output) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
