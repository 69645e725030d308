/**
 * Judges changes that Redocly only notes, and corrects its verdicts where the dialect knows better. Used by redocly.ts.
 * Anything that is not prose counts as affecting programs.
 */
import { isDeepStrictEqual } from 'node:util';
import { segmentsOf } from '../../server/base/json-pointer.ts';
import { resolve } from '../contract/contract.ts';
import type { Contract, Parameter, Schema } from '../contract/contract.ts';
import { operationSites, parametersOf } from '../contract/walk.ts';
import type { OperationSite } from '../contract/walk.ts';
import type { Impact } from './change.ts';
import type { RedoclyChange, Verdict } from './redocly-report.ts';

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
export function weightOf(change: RedoclyChange): Impact {
  const { typeName, property, kind, base, revision, impact } = change;
  // Each extension has a rule of this project that judges it by its meaning.
  if (PROSE_NODES.has(typeName) || typeName === 'SpecExtension' || property?.startsWith('x-') === true) return 'patch';
  if (property !== undefined && PROSE.has(property)) return 'patch';
  if (kind === 'modified' && isReordered(base?.value, revision?.value)) return 'patch';
  return impact === 'patch' ? 'minor' : impact;
}

/** Corrects verdicts of Redocly where the dialect allows a better one. */
export function corrected(
  change: RedoclyChange,
  { ruleId, impact }: Verdict,
  base: Contract,
  revision: Contract,
): Impact {
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
