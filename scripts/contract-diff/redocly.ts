import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { segmentsOf } from '../../server/base/json-pointer.ts';
import { resolve } from '../contract/contract.ts';
import type { Contract, Parameter, Schema } from '../contract/contract.ts';
import { operationSites, parametersOf } from '../contract/walk.ts';
import type { OperationSite } from '../contract/walk.ts';
import { lintConfig, redocly } from '../generate/tools.ts';
import { IMPACTS } from './change.ts';
import type { Change, Impact } from './change.ts';
import { without } from './pairs.ts';

/** One entry of the report of `redocly diff --format json`, with only the members used here. */
interface RedoclyChange {
  readonly path: string;
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  readonly impact: Impact;
  readonly property?: string;
  readonly verdicts: readonly Verdict[];
  readonly base?: Side;
  readonly revision?: Side;
}
interface Verdict {
  readonly ruleId: string;
  readonly impact: Impact;
  readonly message: string;
}
/** Place of the node, which is in a component if `path` leads through a reference. */
interface Side {
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

/** Returns the findings of `redocly diff`, with the corrections that the dialect requires. */
export function redoclyChanges(report: string, base: Contract, revision: Contract): Change[] {
  const { changes } = JSON.parse(report) as { readonly changes: readonly RedoclyChange[] };
  return toldOnce(
    changes
      .filter((change) => !isNameAlone(change))
      .flatMap((change): Finding[] => {
        const where = whereOf(change);
        if (change.verdicts.length === 0)
          return [
            {
              of: change,
              told: {
                ...where,
                impact: weightOf(change),
                rule: ruleOf(change),
                message: describe(change),
              },
            },
          ];
        return change.verdicts.map((verdict) => ({
          of: change,
          told: {
            ...where,
            impact: corrected(change, verdict, base, revision),
            rule: verdict.ruleId,
            message: verdict.message.replace(/\.$/, ''),
          },
        }));
      }),
  );
}

/**
 * Returns whether only the name of a shared component changed. The name exists only in the contract; the content is
 * compared where the component is used.
 */
function isNameAlone({ kind, property, base, revision }: RedoclyChange): boolean {
  return (
    kind !== 'modified' &&
    property === undefined &&
    /^#?\/components\/(responses|parameters|headers|requestBodies)\/[^/]+$/.test((revision ?? base)?.pointer ?? '')
  );
}

interface Finding {
  readonly of: RedoclyChange;
  readonly told: Change;
}

/**
 * Removes duplicates: an added or removed member is in the report twice, because the list `required` names it. It is
 * one change of the contract, so it is reported once, with the more severe of the two impacts.
 */
function toldOnce(findings: readonly Finding[]): Change[] {
  const graver = new Map<Finding, Change>();
  const lists = findings
    .filter(({ of }) => of.property === 'required')
    .filter((list) => {
      const owner = list.told.pointer?.replace(/\/required$/, '');
      const members = namesIn(list).map((name) =>
        findings.find(
          ({ of, told }) =>
            of.property === undefined && of.kind !== 'modified' && told.pointer === `${owner}/properties/${name}`,
        ),
      );
      if (members.length === 0 || members.includes(undefined)) return false;
      for (const member of members as Finding[]) {
        const { impact } = graver.get(member) ?? member.told;
        const isGraver = IMPACTS.indexOf(list.told.impact) > IMPACTS.indexOf(impact);
        graver.set(member, {
          ...member.told,
          impact: isGraver ? list.told.impact : impact,
          ...(member.of.kind === 'added' && { message: `${member.told.message}, and is required` }),
        });
      }
      return true;
    });
  return findings.filter((finding) => !lists.includes(finding)).map((finding) => graver.get(finding) ?? finding.told);
}

/** Returns the members that a finding about the list `required` concerns. */
function namesIn({ of: { base, revision }, told: { rule } }: Finding): string[] {
  const listed = (side: Side | undefined) => (Array.isArray(side?.value) ? (side.value as string[]) : []);
  const [lost, gained] = [without(listed(base), listed(revision)), without(listed(revision), listed(base))];
  return rule.endsWith('-removed') ? lost : rule.endsWith('-added') ? gained : [...lost, ...gained];
}

/**
 * Returns the operation, or the component behind its reference, which is the same for every operation that refers to
 * it.
 */
function whereOf({
  path,
  property,
  base,
  revision,
}: RedoclyChange): Pick<Change, 'place' | 'pointer' | 'removedFrom' | 'component'> {
  const { pointer } = revision ?? base ?? { pointer: path };
  const [root, kind, ...rest] = segmentsOf(pointer);
  const at = { pointer, ...(revision === undefined && base?.line !== undefined && { removedFrom: base.line }) };
  if (root !== 'components' || kind === undefined) return { ...at, place: placeOf(path) };
  const [name = '', ...below] =
    property === undefined ? rest : rest.slice(0, rest.at(-1) === property ? -1 : undefined);
  const component = `${kind}/${name}`;
  return kind === 'schemas'
    ? { ...at, component, place: [name, ...membersIn(below)].join('.') }
    : { ...at, component, place: `components/${component}` };
}

/** Turns `properties/name/items` into `name.items`, as everywhere in the report. */
function membersIn(segments: readonly string[]): string[] {
  const [keyword, next, ...rest] = segments;
  if (keyword === undefined) return [];
  if (keyword === 'properties' && next !== undefined) return [next, ...membersIn(rest)];
  if (keyword === 'additionalProperties') return ['*', ...membersIn(segments.slice(1))];
  return ['oneOf', 'anyOf', 'allOf'].includes(keyword) ? membersIn(rest) : [keyword, ...membersIn(segments.slice(1))];
}

/** Turns `#/paths/~1v1~1things/get/…` into `GET /v1/things`. */
function placeOf(pointer: string): string {
  const [kind, ...segments] = segmentsOf(pointer);
  if (kind !== 'paths') return [kind, ...segments].join('/');
  const [path, method] = segments;
  return method === undefined ? String(path) : `${method.toUpperCase()} ${String(path)}`;
}

/** Returns the rule; a change without a verdict is named after what changed: `member-added`, `description-changed`. */
function ruleOf(change: RedoclyChange): string {
  const { property, kind } = change;
  const what = property ?? thingOf(change).kind;
  return `${what
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(/\s+/g, '-')
    .toLowerCase()}-${property === undefined && kind !== 'modified' ? kind : 'changed'}`;
}

/** Returns a message such as `member nickname was added` or `maxLength changed: 10 → 20`. */
function describe(change: RedoclyChange): string {
  const { property, kind, base, revision } = change;
  if (property === undefined) {
    const { kind: thing, name } = thingOf(change);
    return `${thing} \`${name}\` was ${kind === 'modified' ? 'changed' : kind}`;
  }
  const [before, after] = [brief(base?.value), brief(revision?.value)];
  return before === null || after === null
    ? `\`${property}\` changed`
    : `\`${property}\` changed: ${before} → ${after}`;
}

const PARTS_OF_SCHEMAS: Readonly<Record<string, string>> = {
  properties: 'member',
  oneOf: 'variant',
  anyOf: 'variant',
  allOf: 'part',
  $defs: 'definition',
  schemas: 'schema',
  patternProperties: 'pattern of members',
};

/** Returns the kind of node in terms of the contract, and its name. */
function thingOf({ path, typeName, base, revision }: RedoclyChange): { readonly kind: string; readonly name: string } {
  const segments = segmentsOf((revision ?? base)?.pointer ?? path);
  const [around = '', name = ''] = segments.slice(-2);
  if (typeName !== 'Schema') return { kind: typeName.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase(), name };
  const part = PARTS_OF_SCHEMAS[around];
  return part === undefined
    ? { kind: 'schema', name }
    : { kind: part, name: part === 'variant' || part === 'part' ? `${around} ${name}` : name };
}

function brief(value: unknown): string | null {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length <= 60 ? text : null;
}

/** Members that only people read. */
const PROSE = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'version',
  'contact',
  'license',
  'termsOfService',
  'links',
]);
const PROSE_NODES = new Set([
  'Example',
  'ExamplesMap',
  'NamedExamples',
  'Tag',
  'TagList',
  'ExternalDocs',
  'Info',
  'Contact',
  'License',
  'Link',
  'LinksMap',
  'NamedLinks',
]);

/**
 * Returns the impact of a change that Redocly only noted, without a verdict: prose is for readers; any other change
 * affects programs.
 */
function weightOf(change: RedoclyChange): Impact {
  const { typeName, property, kind, base, revision, impact } = change;
  // Each extension has a rule of this project that judges it by its meaning.
  if (PROSE_NODES.has(typeName) || typeName === 'SpecExtension' || property?.startsWith('x-') === true) return 'patch';
  if (property !== undefined && PROSE.has(property)) return 'patch';
  if (kind === 'modified' && isReordered(base?.value, revision?.value)) return 'patch';
  return impact === 'patch' ? 'minor' : impact;
}

/** Corrects verdicts of Redocly where the dialect allows a better one. */
function corrected(change: RedoclyChange, { ruleId, impact }: Verdict, base: Contract, revision: Contract): Impact {
  switch (ruleId) {
    // An enumeration marked open announces that values may be added.
    case 'enum-values-added':
      return around(base, change)?.['x-enum-open'] === true ? 'minor' : impact;
    // A client that handles an error loses nothing if the error no longer occurs.
    case 'response-removed':
      return /\/responses\/[45]\d\d$/.test(change.path) ? 'minor' : impact;
    // Redocly no longer finds a parameter whose schema was written inline; rewritten-schema-changed compares it.
    case 'parameter-removed':
      return isKept(change, base, revision) ? 'minor' : impact;
    // The function of the TypeScript SDK is still available under its former name.
    case 'operation-id-changed':
      return isFormerId(change, revision) ? 'minor' : impact;
    // Writing `oneOf` for null around a reference: the rule null-changed knows in which direction that breaks.
    case 'schema-combinator-changed':
      return isNullAlone(around(base, change), around(revision, change)) ? 'minor' : impact;
    default:
      return impact;
  }
}

function isReordered(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const sorted = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();
  return isDeepStrictEqual(sorted(before), sorted(after));
}

function isNullAlone(before: Schema | undefined, after: Schema | undefined): boolean {
  const name = (schema: Schema | undefined) =>
    schema?.$ref ?? schema?.oneOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
  return name(before) !== undefined && name(before) === name(after);
}

/** Returns whether the parameter is still at the same place, even if written differently. */
function isKept({ path, base: removed }: RedoclyChange, base: Contract, revision: Contract): boolean {
  const operation = siteOf(path, revision);
  if (typeof removed?.value !== 'object') return false;
  const { name, in: place } = resolve<Parameter>(base, removed.value as Parameter);
  return (
    operation !== undefined &&
    parametersOf(revision, operation).some((parameter) => parameter.name === name && parameter.in === place)
  );
}

function isFormerId({ path, base }: RedoclyChange, revision: Contract): boolean {
  return siteOf(path, revision)?.operation['x-sdk']?.aliases?.some((alias) => alias === base?.value) === true;
}

/** Returns the operation at or above a pointer of the report. */
function siteOf(path: string, contract: Contract): OperationSite | undefined {
  const [address, method] = segmentsOf(path).slice(1);
  return operationSites(contract).find((site) => site.path === address && site.method === method);
}

/** Returns the schema whose keyword changed. */
function around(contract: Contract, { base, revision }: RedoclyChange): Schema | undefined {
  const segments = segmentsOf((base ?? revision)?.pointer ?? '').slice(0, -1);
  return segments.reduce<unknown>(
    (node, segment) => (node as Record<string, unknown> | undefined)?.[segment],
    contract,
  ) as Schema | undefined;
}
