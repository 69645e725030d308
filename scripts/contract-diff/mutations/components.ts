/**
 * Changes of components of the contract, with the verdict that the comparison must give. Used by the mutation tests
 * (run.ts), which report a wrong verdict.
 */
import { resolve } from '../../contract/contract.ts';
import type { Contract, Response, Schema } from '../../contract/contract.ts';
import { operationSites } from '../../contract/walk.ts';
import { drop, set } from './kit.ts';
import type { Mutation } from './kit.ts';

/** Changes of the contract's components, each with the impact that contract-diff must report. */
export const components: readonly Mutation[] = [
  {
    name: 'schema renamed',
    expected: 'breaking',
    edits: (draft) =>
      schemaNames(draft).map((name) => ({
        where: name,
        apply: () => {
          renameSchema(draft, name);
        },
      })),
  },
  {
    name: 'schema added',
    expected: 'non-breaking',
    edits: (draft) => [
      {
        where: 'schemas',
        apply: () => {
          set(draft.components.schemas ?? {}, { BrandNew: { type: 'object', description: 'New.', properties: {} } });
        },
      },
    ],
  },
  {
    name: 'schema added whose name collides with an SDK class',
    expected: 'breaking',
    edits: (draft) => [
      {
        where: 'Applications',
        apply: () => {
          set(draft.components.schemas ?? {}, {
            Applications: { type: 'object', description: 'New.', properties: {} },
          });
        },
      },
    ],
  },
  {
    name: 'schema description changed',
    expected: 'docs-only',
    edits: (draft) =>
      schemaNames(draft).map((name) => ({
        where: name,
        apply: () => set(draft.components.schemas?.[name] ?? {}, { description: 'Another description.' }),
      })),
  },
  {
    name: 'schema title set',
    expected: 'docs-only',
    edits: (draft) =>
      schemaNames(draft).map((name) => ({
        where: name,
        apply: () => set(draft.components.schemas?.[name] ?? {}, { title: 'A title' }),
      })),
  },
  {
    name: 'referenced parameter inlined',
    expected: 'docs-only',
    edits: (draft) =>
      operationSites(draft).flatMap(({ operation, method, path }) =>
        (operation.parameters ?? []).flatMap((node, index) =>
          '$ref' in node
            ? [
                {
                  where: `${method} ${path} ${index}`,
                  apply: () =>
                    set(operation, {
                      parameters: (operation.parameters ?? []).map((other, at) =>
                        at === index ? resolve(draft, other) : other,
                      ),
                    }),
                },
              ]
            : [],
        ),
      ),
  },
  {
    name: 'referenced response inlined',
    expected: 'docs-only',
    edits: (draft) =>
      operationSites(draft).flatMap(({ operation, method, path }) =>
        Object.entries(operation.responses ?? {}).flatMap(([status, node]) =>
          '$ref' in node
            ? [
                {
                  where: `${method} ${path} ${status}`,
                  apply: () => set(operation.responses ?? {}, { [status]: resolve<Response>(draft, node) }),
                },
              ]
            : [],
        ),
      ),
  },
  {
    name: 'schemas reordered',
    expected: 'docs-only',
    edits: (draft) => [
      {
        where: 'schemas',
        apply: () =>
          set(draft.components, {
            schemas: Object.fromEntries(Object.entries(draft.components.schemas ?? {}).reverse()),
          }),
      },
    ],
  },
];

function schemaNames(draft: Contract): string[] {
  return Object.keys(draft.components.schemas ?? {});
}

function renameSchema(draft: Contract, name: string): void {
  const renamed = JSON.parse(
    JSON.stringify(draft).replaceAll(`"#/components/schemas/${name}"`, `"#/components/schemas/${name}New"`),
  ) as Contract;
  const schemas = renamed.components.schemas as Record<string, Schema>;
  set(schemas, { [`${name}New`]: schemas[name] });
  drop(schemas, name);
  set(draft, renamed);
}
