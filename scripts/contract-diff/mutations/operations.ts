/** Mutations of operations, with their verdicts. Used by run.ts. */
import type { Contract } from '../../contract/contract.ts';
import { drop, onOperations, set } from './kit.ts';
import type { Mutation } from './kit.ts';

const any = () => true;

function rename(paths: Contract['paths'], from: string, to: string): void {
  set(paths, { [to]: paths[from] });
  drop(paths, from);
}

export const operations: readonly Mutation[] = [
  {
    name: 'operation added',
    expected: 'non-breaking',
    edits: onOperations(
      (_, { method }) => method === 'get',
      (operation, { path }, draft) => {
        set(draft.paths, {
          [`${path}/extra`]: {
            ...draft.paths[path],
            get: {
              ...operation,
              operationId: `${operation.operationId}Extra`,
              'x-sdk': { ...operation['x-sdk'], method: 'extra' },
            },
          },
        });
        const added = draft.paths[`${path}/extra`] ?? {};
        drop(added, 'put', 'post', 'patch', 'delete');
      },
    ),
  },
  {
    name: 'operation removed',
    expected: 'breaking',
    edits: onOperations(any, (_, { item, method }) => drop(item, method)),
  },
  {
    name: 'path renamed',
    expected: 'breaking',
    edits: onOperations(any, (_, { path }, draft) => {
      rename(draft.paths, path, path.replace(/^\/([^/]+)/, '/$1-new'));
    }),
  },
  {
    name: 'method changed',
    expected: 'breaking',
    edits: onOperations(
      (_, { item, method }) => method === 'patch' && item.put === undefined,
      (operation, { item }) => {
        set(item, { put: operation });
        drop(item, 'patch');
      },
    ),
  },
  {
    name: 'path parameter renamed',
    expected: 'breaking',
    edits: onOperations(
      (operation, { path }) => path.includes('{') && (operation.parameters?.length ?? 0) > 0,
      (_, { path }, draft) => {
        const name = /\{(\w+)\}/.exec(path)?.[1] ?? '';
        const item = JSON.parse(
          JSON.stringify(draft.paths[path], (key, value: unknown) =>
            key === 'parameters' ? inlined(draft, value, name) : value,
          ),
        ) as object;
        set(draft.paths, { [path]: item });
        rename(draft.paths, path, path.replace(`{${name}}`, `{${name}New}`));
      },
    ),
  },
  {
    name: 'operationId changed',
    expected: 'breaking',
    edits: onOperations(any, (operation) => set(operation, { operationId: `${operation.operationId}New` })),
  },
  {
    name: 'operationId changed, the old one kept',
    expected: 'non-breaking',
    edits: onOperations(any, (operation) => {
      set(operation, {
        operationId: `${operation.operationId}New`,
        'x-sdk': { ...operation['x-sdk'], aliases: [...(operation['x-sdk']?.aliases ?? []), operation.operationId] },
      });
    }),
  },
  {
    name: 'SDK method renamed, the old name kept',
    expected: 'non-breaking',
    edits: onOperations(any, (operation) => {
      const { resource, method, aliases = [] } = operation['x-sdk'] ?? {};
      set(operation, { 'x-sdk': { resource, method: 'renamed', aliases: [...aliases, `${resource}.${method}`] } });
    }),
  },
  {
    name: 'SDK name from before dropped',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-sdk']?.aliases !== undefined,
      (operation) => {
        const { resource, method } = operation['x-sdk']!;
        set(operation, { 'x-sdk': { resource, method } });
      },
    ),
  },
  {
    name: 'SDK method renamed',
    expected: 'breaking',
    edits: onOperations(any, (operation) => set(operation, { 'x-sdk': { ...operation['x-sdk'], method: 'renamed' } })),
  },
  {
    name: 'SDK resource renamed',
    expected: 'breaking',
    edits: onOperations(any, (operation) =>
      set(operation, { 'x-sdk': { ...operation['x-sdk'], resource: 'renamed' } }),
    ),
  },
  {
    name: 'operation deprecated',
    expected: 'non-breaking',
    edits: onOperations(any, (operation) =>
      set(operation, { deprecated: true, 'x-deprecated-since': '2026-01-01', 'x-sunset': '2027-01-31' }),
    ),
  },
  {
    name: 'operation summary edited',
    expected: 'docs-only',
    edits: onOperations(any, (operation) => set(operation, { summary: `${operation.summary} now` })),
  },
  {
    name: 'operation description edited',
    expected: 'docs-only',
    edits: onOperations(any, (operation) => set(operation, { description: `${operation.description} Indeed.` })),
  },
  {
    name: 'operation moved to another tag',
    expected: 'docs-only',
    edits: onOperations(
      (operation) => operation.tags?.[0] !== 'auth',
      (operation) => set(operation, { tags: ['auth'] }),
    ),
  },
  {
    name: 'assumption noted',
    expected: 'docs-only',
    edits: onOperations(any, (operation) =>
      set(operation, { 'x-assumption': 'Another reading of the specification.' }),
    ),
  },
  {
    name: 'members of an operation reordered',
    expected: 'docs-only',
    edits: onOperations(any, (operation) => {
      const reversed = Object.entries(operation).reverse();
      drop(operation, ...Object.keys(operation));
      set(operation, Object.fromEntries(reversed));
    }),
  },
];

/** Returns the parameters with the one of this name written inline under a new name. */
function inlined(draft: Contract, parameters: unknown, name: string): unknown {
  if (!Array.isArray(parameters)) return parameters;
  return parameters.map((node: { readonly $ref?: string; readonly name?: string }) => {
    const parameter = node.$ref === undefined ? node : draft.components.parameters?.[node.$ref.split('/').at(-1) ?? ''];
    return (parameter as { readonly name?: string } | undefined)?.name === name
      ? { ...parameter, name: `${name}New` }
      : node;
  });
}
