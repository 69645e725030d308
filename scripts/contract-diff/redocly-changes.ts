import { join } from 'node:path';
import type { Contract } from '../generate/contract.ts';
import { redocly } from '../generate/redocly.ts';
import { lintConfig } from '../generate/lint.ts';
import type { Schema } from '../generate/schema.ts';
import type { Change, Impact } from './change.ts';

interface Verdict { readonly ruleId: string; readonly impact: Impact; readonly message: string }
interface RedoclyChange {
  readonly path: string;
  readonly typeName: string;
  readonly kind: string;
  readonly impact: Impact;
  readonly property?: string;
  readonly verdicts: readonly Verdict[];
  readonly base?: { readonly pointer: string };
}

/** What `redocly diff` finds, with one correction: a value added to an enumeration marked open is what was promised. */
export async function redoclyChanges(root: string, files: { readonly base: string; readonly revision: string }, base: Contract): Promise<Change[]> {
  const { stdout, stderr } = await redocly(['diff', files.base, files.revision, '--config', join(root, lintConfig), '--format', 'json', '--fail-on', 'none'], root);
  if (!stdout.trimStart().startsWith('{')) throw new Error(`redocly diff did not run:\n${stderr}${stdout}`);
  const { changes } = JSON.parse(stdout) as { readonly changes: readonly RedoclyChange[] };
  return changes.flatMap((change) => {
    const place = placeOf(change.path);
    if (change.verdicts.length === 0) return [{ impact: change.impact, rule: 'redocly', place, message: describe(change) }];
    return change.verdicts.map(({ ruleId, impact, message }) => ({
      impact: ruleId === 'enum-values-added' && isOpen(base, change.base?.pointer) ? 'minor' : impact,
      rule: ruleId,
      place,
      message,
    }));
  });
}

/** `#/paths/~1v1~1things/get/…` → `GET /v1/things` */
function placeOf(pointer: string): string {
  const [, kind, ...segments] = pointer.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (kind !== 'paths') return [kind, ...segments].join('/');
  const [path, method] = segments;
  return method === undefined ? String(path) : `${method.toUpperCase()} ${String(path)}`;
}

function describe({ typeName, property, kind }: RedoclyChange): string {
  return `${typeName}${property === undefined ? '' : ` ${property}`} ${kind}`;
}

function isOpen(contract: Contract, pointer: string | undefined): boolean {
  const segments = (pointer ?? '').split('/').slice(1, -1).map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const schema = segments.reduce<unknown>((node, segment) => (node as Record<string, unknown> | undefined)?.[segment], contract);
  return (schema as Schema | undefined)?.['x-enum-open'] === true;
}
