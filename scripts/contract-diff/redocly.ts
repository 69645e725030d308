/** Converts the report of `redocly diff` to changes, each once. Used by the comparison. */
import { segmentsOf } from '../../server/base/json-pointer.ts';
import type { Contract } from '../contract/contract.ts';
import { IMPACTS } from './change.ts';
import type { Change } from './change.ts';
import { without } from './pairs.ts';
import { corrected, weightOf } from './redocly-impact.ts';
import type { RedoclyChange, Side } from './redocly-report.ts';

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
  if (rule.endsWith('-removed')) return lost;
  return rule.endsWith('-added') ? gained : [...lost, ...gained];
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
