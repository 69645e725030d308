import { join, relative } from 'node:path';
import { redocly } from './redocly.ts';
import type { RedoclyResult } from './redocly.ts';

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
