/**
 * Finds all changes between two contracts by Redocly and by the rules of this project. Called by the command,
 * changelogs and mutation tests. A change that no rule sees would be released as harmless; the mutation tests look for
 * such.
 */
import { METHODS, resolve, SUBSCHEMAS } from '../contract/contract.ts';
import type { Contract, PathItem, Reference, Schema } from '../contract/contract.ts';
import { members } from '../contract/dialect.ts';
import { ContractError, readContract } from '../contract/read.ts';
import { lint } from '../generate/tools.ts';
import { IMPACTS } from './change.ts';
import type { Change } from './change.ts';
import { withReach } from './reach.ts';
import { redoclyReport } from './redocly-report.ts';
import { redoclyChanges } from './redocly.ts';
import { rules } from './rules/index.ts';

/** Returns all changes between two contracts, most severe first, without duplicates. */
export async function compare(
  root: string,
  files: { readonly base: string; readonly revision: string },
): Promise<Change[]> {
  const [base, revision] = [readContract(files.base), readContract(files.revision)];
  const report = await redoclyReport(root, files);
  try {
    return weigh(inCommonForm(base), inCommonForm(revision), report);
  } catch (error) {
    // The rules rely on the structure that OpenAPI demands, so a document that violates it is reported with the place.
    const broken = (await lint(root, [files.base, files.revision])).find(({ rule }) => rule === 'struct');
    throw broken === undefined
      ? error
      : new ContractError(`${broken.place} not a valid OpenAPI document: ${broken.message}`);
  }
}

/** Changes that Redocly only notes (`x-roles-changed`), by the rule of this project that judges them. */
const WEIGHED: ReadonlyMap<string, readonly string[]> = new Map([
  ...members.map(([name, { changes = [] }]) => [`${name}-changed`, changes.map(({ rule }) => rule)] as const),
  ['nullable-changed', ['null-changed']] as const,
]);

/** Judges the changes; `report` is the output of `redocly diff` for the two contracts. */
export function weigh(
  base: Contract,
  revision: Contract,
  report: string,
  today = new Date().toISOString().slice(0, 10),
): Change[] {
  const house = Object.entries(rules).flatMap(([rule, check]) =>
    check(base, revision, today).map((change) => ({ ...change, rule })),
  );
  const told = new Set(house.map(({ rule, place }) => `${rule} ${place}`));
  const others = redoclyChanges(report, base, revision).filter(
    ({ rule, place }) => !(WEIGHED.get(rule) ?? []).some((by) => told.has(`${by} ${place}`)),
  );
  const all = [...house, ...others];
  const unique = new Map(all.map((change) => [`${change.rule} ${change.place} ${change.message}`, change]));
  return withReach([...unique.values()], base, revision).sort(
    (a, b) => IMPACTS.indexOf(b.impact) - IMPACTS.indexOf(a.impact),
  );
}

type Node = Readonly<Record<string, unknown>>;

/** Members whose content may look like a schema but is a value. */
const VALUES = new Set(['example', 'examples', 'value', 'default', 'enum', 'const']);

/**
 * Returns a contract in the form that the rules of this project read. They expect OpenAPI 3.1 as this project writes
 * it, but any document of OpenAPI 3.0 or 3.1 may be compared. All nodes keep their places, so pointers into the file
 * remain valid.
 */
function inCommonForm(contract: Contract): Contract {
  const {
    paths,
    components: { schemas, ...components },
    ...rest
  } = contract;
  return {
    ...(below(rest) as Contract),
    paths: mapped(paths, (item) => itemOf(contract, item)),
    components: { ...(below(components) as Contract['components']), schemas: mapped(schemas ?? {}, schemaOf) },
  };
}

/** Returns the path item, which may be empty or a reference (OpenAPI 3.1 section 4.8.9). */
function itemOf(contract: Contract, item: PathItem | Reference | null): PathItem {
  const { $ref, ...beside } = (item ?? {}) as Partial<Reference> & PathItem;
  const known = $ref === undefined ? beside : { ...resolve<PathItem>(contract, { $ref }), ...beside };
  const empty = METHODS.filter((method) => known[method] === null).map((method) => [method, {}]);
  return below({ ...known, ...Object.fromEntries(empty) }) as PathItem;
}

function below(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(below);
  if (typeof node !== 'object' || node === null) return node;
  return mapped(node as Node, (value, name) => {
    if (name === 'schema') return schemaOf(value);
    return VALUES.has(name) || name.startsWith('x-') ? value : below(value);
  });
}

function schemaOf(node: unknown): Schema {
  // JSON Schema 2020-12 section 4.3.2: `true` allows everything and `false` nothing.
  if (typeof node === 'boolean') return (node ? {} : { not: {} }) as Schema;
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return {};
  const schema = mapped(node as Node, (value, keyword) => {
    if (keyword === 'additionalProperties' && typeof value === 'boolean') return value;
    if (SUBSCHEMAS.one.has(keyword)) return schemaOf(value);
    if (SUBSCHEMAS.list.has(keyword) && Array.isArray(value)) return value.map(schemaOf);
    return SUBSCHEMAS.map.has(keyword) && typeof value === 'object' && value !== null
      ? mapped(value as Node, schemaOf)
      : value;
  });
  // OpenAPI 3.0 has the keyword `nullable` instead of the type null.
  return schema['nullable'] === true && typeof schema['type'] === 'string'
    ? { ...schema, type: [schema['type'], 'null'] }
    : schema;
}

function mapped<T>(
  named: Readonly<Record<string, T>>,
  map: (value: T, name: string) => unknown,
): Record<string, never> {
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, map(value, name) as never]));
}
