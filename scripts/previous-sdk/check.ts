import { spawnSync } from 'node:child_process';

/** How many files were looked at, and what the type checker said when they no longer fit. */
export interface Outcome { readonly files: number; readonly complaint: string | null }

export function check(files: number, command: string, args: readonly string[], cwd: string): Outcome {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { files, complaint: status === 0 ? null : `${stdout}${stderr}`.trimEnd() };
}
