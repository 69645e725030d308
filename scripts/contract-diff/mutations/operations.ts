import type { Contract, Operation } from '../../generate/contract.ts';
import type { OperationSite } from '../../lint/walk.ts';
import { operationSites } from '../../lint/walk.ts';
import { drop, set } from './kit.ts';
import type { Mutation } from './kit.ts';

/** Edits of every operation that fits. */
export function onOperations(fits: (operation: Partial<Operation>, site: OperationSite) => boolean, apply: (operation: Partial<Operation>, site: OperationSite, draft: Contract) => void): Mutation['edits'] {
  return (draft) => operationSites(draft).filter((site) => fits(site.operation, site))
    .map((site) => ({ where: `${site.method} ${site.path}`, apply: () => { apply(site.operation, site, draft); } }));
}

const any = () => true;

function rename(paths: Contract['paths'], from: string, to: string): void {
  set(paths, { [to]: paths[from] });
  drop(paths, from);
}

export const operations: readonly Mutation[] = [
  { name: 'operation added', expected: 'non-breaking', edits: onOperations((_, { method }) => method === 'get', (operation, { path }, draft) => {
    set(draft.paths, { [`${path}/extra`]: { ...draft.paths[path], get: { ...operation, operationId: `${operation.operationId}Extra`, 'x-sdk': { ...operation['x-sdk'], method: 'extra' } } } });
    const added = draft.paths[`${path}/extra`] ?? {};
    drop(added, 'put', 'post', 'patch', 'delete');
  }) },
  { name: 'operation removed', expected: 'breaking', edits: onOperations(any, (_, { item, method }) => { drop(item, method); }) },
  { name: 'path renamed', expected: 'breaking', edits: onOperations(any, (_, { path }, draft) => { rename(draft.paths, path, path.replace(/^\/([^/]+)/, '/$1-new')); }) },
  { name: 'method changed', expected: 'breaking', edits: onOperations((_, { item, method }) => method === 'patch' && item.put === undefined, (operation, { item }) => { set(item, { put: operation }); drop(item, 'patch'); }) },
  { name: 'path parameter renamed', expected: 'breaking', edits: onOperations((operation, { path }) => path.includes('{') && (operation.parameters?.length ?? 0) > 0, (_, { path }, draft) => {
    const name = /\{(\w+)\}/.exec(path)?.[1] ?? '';
    const item = JSON.parse(JSON.stringify(draft.paths[path], (key, value: unknown) => (key === 'parameters' ? inlined(draft, value, name) : value))) as object;
    set(draft.paths, { [path]: item });
    rename(draft.paths, path, path.replace(`{${name}}`, `{${name}New}`));
  }) },
  { name: 'operationId changed', expected: 'breaking', edits: onOperations(any, (operation) => { set(operation, { operationId: `${operation.operationId}New` }); }) },
  { name: 'SDK method renamed', expected: 'breaking', edits: onOperations(any, (operation) => { set(operation, { 'x-sdk': { ...operation['x-sdk'], method: 'renamed' } }); }) },
  { name: 'SDK resource renamed', expected: 'breaking', edits: onOperations(any, (operation) => { set(operation, { 'x-sdk': { ...operation['x-sdk'], resource: 'renamed' } }); }) },
  { name: 'operation deprecated', expected: 'non-breaking', edits: onOperations(any, (operation) => { set(operation, { deprecated: true, 'x-deprecated-since': '2026-01-01', 'x-sunset': '2027-01-31' }); }) },
  { name: 'operation summary edited', expected: 'docs-only', edits: onOperations(any, (operation) => { set(operation, { summary: `${operation.summary} now` }); }) },
  { name: 'operation description edited', expected: 'docs-only', edits: onOperations(any, (operation) => { set(operation, { description: `${operation.description} Indeed.` }); }) },
  { name: 'operation moved to another tag', expected: 'docs-only', edits: onOperations((operation) => operation.tags?.[0] !== 'auth', (operation) => { set(operation, { tags: ['auth'] }); }) },
  { name: 'assumption noted', expected: 'docs-only', edits: onOperations(any, (operation) => { set(operation, { 'x-assumption': 'Another reading of the specification.' }); }) },
  { name: 'members of an operation reordered', expected: 'docs-only', edits: onOperations(any, (operation) => {
    const reversed = Object.entries(operation).reverse();
    drop(operation, ...Object.keys(operation));
    set(operation, Object.fromEntries(reversed));
  }) },
];

/** Parameters with the one of this name written out under a new name. */
function inlined(draft: Contract, parameters: unknown, name: string): unknown {
  if (!Array.isArray(parameters)) return parameters;
  return parameters.map((node: { readonly $ref?: string; readonly name?: string }) => {
    const parameter = node.$ref === undefined ? node : draft.components.parameters?.[node.$ref.split('/').at(-1) ?? ''];
    return (parameter as { readonly name?: string } | undefined)?.name === name ? { ...parameter, name: `${name}New` } : node;
  });
}
