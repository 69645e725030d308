import { join } from 'node:path';
import type { Contract } from '../generate/contract.ts';
import { redocly } from '../generate/redocly.ts';
import { lintConfig } from '../generate/lint.ts';
import type { Change, Impact } from './change.ts';
import { IMPACTS } from './change.ts';
import { corrected, weightOf } from './corrections.ts';
import { segmentsOf } from './locate.ts';
import { without } from './pairs.ts';

/** One entry of the report of `redocly diff --format json`; only what is used here. */
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
export interface Verdict { readonly ruleId: string; readonly impact: Impact; readonly message: string }
/** Where it is written, which is a component if `path` leads through a reference. */
interface Side { readonly pointer: string; readonly line?: number; readonly value?: unknown }

/** The report of `redocly diff` on two files. */
export async function redoclyReport(root: string, files: { readonly base: string; readonly revision: string }): Promise<string> {
  const { stdout, stderr } = await redocly(['diff', files.base, files.revision, '--config', join(root, lintConfig), '--format', 'json', '--fail-on', 'none'], root);
  if (!stdout.trimStart().startsWith('{')) throw new Error(`redocly diff did not run:\n${stderr}${stdout}`);
  return stdout;
}

/** What `redocly diff` finds, with the corrections that the dialect asks for. */
export function redoclyChanges(report: string, base: Contract, revision: Contract): Change[] {
  const { changes } = JSON.parse(report) as { readonly changes: readonly RedoclyChange[] };
  return toldOnce(changes.filter((change) => !isNameAlone(change)).flatMap((change): Finding[] => {
    const where = whereOf(change);
    if (change.verdicts.length === 0) return [{ of: change, told: { ...where, impact: weightOf(change), rule: ruleOf(change), message: describe(change) } }];
    return change.verdicts.map((verdict) => ({
      of: change, told: { ...where, impact: corrected(change, verdict, base, revision), rule: verdict.ruleId, message: verdict.message.replace(/\.$/, '') },
    }));
  }));
}

/** A part that several operations share has a name in the contract alone; what it says is compared where it is referred to. */
function isNameAlone({ kind, property, base, revision }: RedoclyChange): boolean {
  return kind !== 'modified' && property === undefined && /^#?\/components\/(responses|parameters|headers|requestBodies)\/[^/]+$/.test((revision ?? base)?.pointer ?? '');
}

interface Finding { readonly of: RedoclyChange; readonly told: Change }

/**
 * A member that comes or goes is in the report a second time, because the list `required` names it. It is one change of the
 * contract, so it is told once, with the graver of the two impacts.
 */
function toldOnce(findings: readonly Finding[]): Change[] {
  const graver = new Map<Finding, Change>();
  const lists = findings.filter(({ of }) => of.property === 'required').filter((list) => {
    const owner = list.told.pointer?.replace(/\/required$/, '');
    const members = namesIn(list).map((name) => findings.find(({ of, told }) => of.property === undefined && of.kind !== 'modified' && told.pointer === `${owner}/properties/${name}`));
    if (members.length === 0 || members.includes(undefined)) return false;
    for (const member of members as Finding[]) {
      const { impact } = graver.get(member) ?? member.told;
      const isGraver = IMPACTS.indexOf(list.told.impact) > IMPACTS.indexOf(impact);
      graver.set(member, { ...member.told, impact: isGraver ? list.told.impact : impact, ...(member.of.kind === 'added' && { message: `${member.told.message}, and is required` }) });
    }
    return true;
  });
  return findings.filter((finding) => !lists.includes(finding)).map((finding) => graver.get(finding) ?? finding.told);
}

/** The members that a finding about the list `required` is about. */
function namesIn({ of: { base, revision }, told: { rule } }: Finding): string[] {
  const listed = (side: Side | undefined) => (Array.isArray(side?.value) ? side.value as string[] : []);
  const [lost, gained] = [without(listed(base), listed(revision)), without(listed(revision), listed(base))];
  return rule.endsWith('-removed') ? lost : rule.endsWith('-added') ? gained : [...lost, ...gained];
}

/** The operation, or the component behind its reference, which every operation has that refers to it. */
function whereOf({ path, property, base, revision }: RedoclyChange): Pick<Change, 'place' | 'pointer' | 'removedFrom' | 'component'> {
  const { pointer } = revision ?? base ?? { pointer: path };
  const [root, kind, ...rest] = segmentsOf(pointer);
  const at = { pointer, ...(revision === undefined && base?.line !== undefined && { removedFrom: base.line }) };
  if (root !== 'components' || kind === undefined) return { ...at, place: placeOf(path) };
  const [name = '', ...below] = property === undefined ? rest : rest.slice(0, rest.at(-1) === property ? -1 : undefined);
  const component = `${kind}/${name}`;
  return kind === 'schemas' ? { ...at, component, place: [name, ...membersIn(below)].join('.') } : { ...at, component, place: `components/${component}` };
}

/** `properties/name/items` → `name.items`, as everywhere in the report. */
function membersIn(segments: readonly string[]): string[] {
  const [keyword, next, ...rest] = segments;
  if (keyword === undefined) return [];
  if (keyword === 'properties' && next !== undefined) return [next, ...membersIn(rest)];
  if (keyword === 'additionalProperties') return ['*', ...membersIn(segments.slice(1))];
  return ['oneOf', 'anyOf', 'allOf'].includes(keyword) ? membersIn(rest) : [keyword, ...membersIn(segments.slice(1))];
}

/** `#/paths/~1v1~1things/get/…` → `GET /v1/things` */
function placeOf(pointer: string): string {
  const [kind, ...segments] = segmentsOf(pointer);
  if (kind !== 'paths') return [kind, ...segments].join('/');
  const [path, method] = segments;
  return method === undefined ? String(path) : `${method.toUpperCase()} ${String(path)}`;
}

/** A change without a verdict is called after what changed: `member-added`, `description-changed`. */
function ruleOf(change: RedoclyChange): string {
  const { property, kind } = change;
  const what = property ?? thingOf(change).kind;
  return `${what.replaceAll(/([a-z])([A-Z])/g, '$1-$2').replaceAll(/\s+/g, '-').toLowerCase()}-${property === undefined && kind !== 'modified' ? kind : 'changed'}`;
}

/** `member nickname was added`, `maxLength changed: 10 → 20` */
function describe(change: RedoclyChange): string {
  const { property, kind, base, revision } = change;
  if (property === undefined) {
    const { kind: thing, name } = thingOf(change);
    return `${thing} \`${name}\` was ${kind === 'modified' ? 'changed' : kind}`;
  }
  const [before, after] = [brief(base?.value), brief(revision?.value)];
  return before === null || after === null ? `\`${property}\` changed` : `\`${property}\` changed: ${before} → ${after}`;
}

const PARTS_OF_SCHEMAS: Readonly<Record<string, string>> = { properties: 'member', oneOf: 'variant', anyOf: 'variant', allOf: 'part', $defs: 'definition', schemas: 'schema', patternProperties: 'pattern of members' };

/** What it is in words of the contract, and its name there. */
function thingOf({ path, typeName, base, revision }: RedoclyChange): { readonly kind: string; readonly name: string } {
  const segments = segmentsOf((revision ?? base)?.pointer ?? path);
  const [around = '', name = ''] = segments.slice(-2);
  if (typeName !== 'Schema') return { kind: typeName.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase(), name };
  const part = PARTS_OF_SCHEMAS[around];
  return part === undefined ? { kind: 'schema', name } : { kind: part, name: part === 'variant' || part === 'part' ? `${around} ${name}` : name };
}

function brief(value: unknown): string | null {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length <= 60 ? text : null;
}
