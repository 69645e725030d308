import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOGS, run, tail } from './command.ts';
import type { Result } from './result.ts';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly name: string; readonly status: string; readonly message: string; readonly assertionResults: readonly { readonly status: string; readonly fullName: string; readonly failureMessages: readonly string[] }[] }[];
}

/** Runs one vitest configuration. A skipped test and a file that does not load count as failures. */
export async function vitest(name: string, config: string, env: Readonly<Record<string, string>> = {}): Promise<Result> {
  const json = join(LOGS, `${name}.json`);
  const { code, output } = await run(name, 'vitest', ['run', '--config', config, '--reporter=default', '--reporter=json', `--outputFile.json=${json}`], env);
  const report = read(json);
  if (report === null) return { passed: 0, failed: 1, complaint: tail(output) };
  const skipped = report.numPendingTests + report.numTodoTests;
  const unloadable = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'));
  const failed = report.numFailedTests + skipped + unloadable.length;
  const complaint = [
    ...report.testResults.flatMap(({ assertionResults }) => assertionResults.filter((test) => test.status === 'failed'))
      .map((test) => `    ✗ ${test.fullName}\n${tail(test.failureMessages.join('\n'), 12)}`),
    ...unloadable.map((file) => `    ✗ ${file.name}\n${tail(file.message, 12)}`),
    ...(skipped > 0 ? [`    ${skipped} tests were skipped`] : []),
  ].join('\n');
  // vitest also fails on errors outside of tests, for example an unhandled rejection.
  const hidden = code !== 0 && failed === 0 ? 1 : 0;
  return { passed: report.numPassedTests, failed: failed + hidden, complaint: hidden > 0 ? tail(output) : complaint };
}

function read(path: string): Report | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return null;
  }
}
