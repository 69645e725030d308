import { join } from 'node:path';
import type { Contract } from '../generate/contract.ts';
import { redocly } from '../generate/redocly.ts';
import { lintConfig } from '../generate/lint.ts';
import type { Change, Impact } from './change.ts';
import { corrected, weightOf } from './corrections.ts';

/** One entry of the report of `redocly diff --format json`; only what is used here. */
export interface RedoclyChange {
  readonly path: string;
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  readonly impact: Impact;
  readonly property?: string;
  readonly verdicts: readonly Verdict[];
  readonly base?: { readonly pointer: string; readonly value?: unknown };
  readonly revision?: { readonly pointer: string; readonly value?: unknown };
}
export interface Verdict { readonly ruleId: string; readonly impact: Impact; readonly message: string }

/** The report of `redocly diff` on two files. */
export async function redoclyReport(root: string, files: { readonly base: string; readonly revision: string }): Promise<string> {
  const { stdout, stderr } = await redocly(['diff', files.base, files.revision, '--config', join(root, lintConfig), '--format', 'json', '--fail-on', 'none'], root);
  if (!stdout.trimStart().startsWith('{')) throw new Error(`redocly diff did not run:\n${stderr}${stdout}`);
  return stdout;
}

/** What `redocly diff` finds, with the corrections that the dialect asks for. */
export function redoclyChanges(report: string, base: Contract, revision: Contract): Change[] {
  const { changes } = JSON.parse(report) as { readonly changes: readonly RedoclyChange[] };
  return changes.flatMap((change) => {
    const place = placeOf(change.path);
    if (change.verdicts.length === 0) return [{ impact: weightOf(change), rule: 'redocly', place, message: describe(change) }];
    return change.verdicts.map((verdict) => ({ impact: corrected(change, verdict, base, revision), rule: verdict.ruleId, place, message: verdict.message }));
  });
}

/** `#/paths/~1v1~1things/get/…` → `GET /v1/things` */
function placeOf(pointer: string): string {
  const [, kind, ...segments] = pointer.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (kind !== 'paths') return [kind, ...segments].join('/');
  const [path, method] = segments;
  return method === undefined ? String(path) : `${method.toUpperCase()} ${String(path)}`;
}

/** `Schema maxLength of displayName: 10 → 20` */
function describe({ path, typeName, property, kind, base, revision }: RedoclyChange): string {
  const name = path.split('/').at(-1)?.replaceAll('~1', '/').replaceAll('~0', '~') ?? '';
  if (property === undefined) return `${typeName} ${name} ${kind}`;
  const [before, after] = [brief(base?.value), brief(revision?.value)];
  return `${typeName} ${property} of ${name} ${before === null || after === null ? 'changed' : `${before} → ${after}`}`;
}

function brief(value: unknown): string | null {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length <= 60 ? text : null;
}
