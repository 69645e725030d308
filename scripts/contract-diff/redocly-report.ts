/**
 * Runs `redocly diff` and reads its report. Used by the comparison. Throws with the output if the program did not run.
 */
import { join } from 'node:path';
import { lintConfig, redocly } from '../generate/tools.ts';
import type { Impact } from './change.ts';

/** One entry of the report of `redocly diff --format json`, with only the members used here. */
export interface RedoclyChange {
  readonly path: string;
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  readonly impact: Impact;
  readonly property?: string;
  readonly verdicts: readonly Verdict[];
  readonly base?: Side;
  readonly revision?: Side;
}

export interface Verdict {
  readonly ruleId: string;
  readonly impact: Impact;
  readonly message: string;
}

/** Place of the node, which is in a component if `path` leads through a reference. */
export interface Side {
  readonly pointer: string;
  readonly line?: number;
  readonly value?: unknown;
}

/** Returns the report of `redocly diff` for two files. */
export async function redoclyReport(
  root: string,
  files: { readonly base: string; readonly revision: string },
): Promise<string> {
  const { stdout, stderr } = await redocly(
    ['diff', files.base, files.revision, '--config', join(root, lintConfig), '--format', 'json', '--fail-on', 'none'],
    root,
  );
  if (!stdout.trimStart().startsWith('{')) throw new Error(`redocly diff did not run:\n${stderr}${stdout}`);
  return stdout;
}
