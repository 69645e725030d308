import { isDeepStrictEqual } from 'node:util';
import { resolve } from '../generate/contract.ts';
import type { Contract, Parameter } from '../generate/contract.ts';
import type { Schema } from '../generate/schema.ts';
import { operationSites, parametersOf } from '../lint/walk.ts';
import type { Impact } from './change.ts';
import type { RedoclyChange, Verdict } from './redocly-changes.ts';

/** Members that only people read. */
const PROSE = new Set(['description', 'summary', 'title', 'example', 'examples', 'externalDocs', 'tags', 'version', 'contact', 'license', 'termsOfService', 'links']);
const PROSE_NODES = new Set(['Example', 'ExamplesMap', 'NamedExamples', 'Tag', 'TagList', 'ExternalDocs', 'Info', 'Contact', 'License', 'Link', 'LinksMap', 'NamedLinks']);

/** What Redocly only noted, without a verdict: prose is for readers; anything else changes what programs may do. */
export function weightOf(change: RedoclyChange): Impact {
  const { typeName, property, kind, base, revision, impact } = change;
  // Extensions are weighed by the house rules, each by what it means.
  if (PROSE_NODES.has(typeName) || typeName === 'SpecExtension' || property?.startsWith('x-') === true) return 'patch';
  if (property !== undefined && PROSE.has(property)) return 'patch';
  if (kind === 'modified' && isReordered(base?.value, revision?.value)) return 'patch';
  return impact === 'patch' ? 'minor' : impact;
}

/** Verdicts of Redocly that the dialect knows better. */
export function corrected(change: RedoclyChange, { ruleId, impact }: Verdict, base: Contract, revision: Contract): Impact {
  switch (ruleId) {
    // A value added to an enumeration marked open is what was promised.
    case 'enum-values-added': return around(base, change)?.['x-enum-open'] === true ? 'minor' : impact;
    // A client that is ready for an error loses nothing when it no longer comes.
    case 'response-removed': return /\/responses\/[45]\d\d$/.test(change.path) ? 'minor' : impact;
    // Redocly loses a parameter from sight when its schema is written out; rewritten-schema-changed compares it.
    case 'parameter-removed': return isKept(change, base, revision) ? 'minor' : impact;
    // Writing `oneOf` for null around a reference: the rule null-changed knows in which direction that breaks.
    case 'schema-combinator-changed': return isNullAlone(around(base, change), around(revision, change)) ? 'minor' : impact;
    default: return impact;
  }
}

function isReordered(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const sorted = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();
  return isDeepStrictEqual(sorted(before), sorted(after));
}

function isNullAlone(before: Schema | undefined, after: Schema | undefined): boolean {
  const name = (schema: Schema | undefined) => schema?.$ref ?? schema?.oneOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
  return name(before) !== undefined && name(before) === name(after);
}

/** The parameter is at the same place, though perhaps written otherwise. */
function isKept({ path, base: removed }: RedoclyChange, base: Contract, revision: Contract): boolean {
  const [address, method] = path.split('/').slice(2).map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const operation = operationSites(revision).find((site) => site.path === address && site.method === method);
  if (typeof removed?.value !== 'object') return false;
  const { name, in: place } = resolve<Parameter>(base, removed.value as Parameter);
  return operation !== undefined && parametersOf(revision, operation).some((parameter) => parameter.name === name && parameter.in === place);
}

/** The schema whose keyword changed. */
function around(contract: Contract, { base, revision }: RedoclyChange): Schema | undefined {
  const segments = (base ?? revision)?.pointer.split('/').slice(1, -1).map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  return segments?.reduce<unknown>((node, segment) => (node as Record<string, unknown> | undefined)?.[segment], contract) as Schema | undefined;
}
