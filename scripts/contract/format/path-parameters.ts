import { isSeq } from 'yaml';
import type { Document, YAMLMap, YAMLSeq } from 'yaml';
import { pascalCase } from '../../generate/naming.ts';
import { words } from './english.ts';
import { at, keyOf, mapAt, membersOf, put, reference, referenced, textAt } from './nodes.ts';

/** An id for examples, as this service makes them. */
const EXAMPLE_ID = '0197f2d3-10aa-7b55-9e21-0a1b2c3d4e60';

/** The names in the braces of a path are parameters of all its operations; one that ends in `Id` describes itself. */
export function completePath(document: Document, path: string, item: YAMLMap): void {
  const templates = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const declared = (at(item, 'parameters') as YAMLSeq | undefined)?.items.map((node) => nameOf(document, node)) ?? [];
  const missing = templates.filter((name) => !declared.includes(name)).map((name) => componentOf(document, name)).filter((name) => name !== null);
  if (missing.length === 0) return;
  if (!isSeq(at(item, 'parameters'))) put(document, item, 'parameters', []);
  const list = at(item, 'parameters') as YAMLSeq;
  list.flow = false;
  for (const name of missing) list.items.push(document.createNode(reference('parameters', name)));
}

function nameOf(document: Document, node: unknown): string | undefined {
  const name = referenced(node);
  return textAt(name === null ? node : at(document.contents, 'components', 'parameters', name), 'name');
}

/** The component that describes a path parameter; null if it must be written by hand. */
function componentOf(document: Document, name: string): string | null {
  const parameters = mapAt(document, at(document.contents, 'components') as YAMLMap, 'parameters');
  const found = membersOf(parameters).find(({ value }) => textAt(value, 'in') === 'path' && textAt(value, 'name') === name);
  if (found !== undefined) return keyOf(found);
  if (!name.endsWith('Id')) return null;
  put(document, parameters, pascalCase(name), {
    name, in: 'path', required: true, description: `The id of the ${words(name.slice(0, -2))}.`, schema: reference('schemas', 'Id'), example: EXAMPLE_ID,
  });
  return pascalCase(name);
}
