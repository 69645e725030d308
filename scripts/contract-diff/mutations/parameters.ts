/** Mutations of parameters, with their verdicts. Used by run.ts. */
import { dereference } from '../../contract/contract.ts';
import type { Contract, Operation, Parameter, Reference } from '../../contract/contract.ts';
import { operationSites } from '../../contract/walk.ts';
import { onOperations, set } from './kit.ts';
import type { Mutation } from './kit.ts';

/** Returns edits of every parameter that matches; a shared parameter is edited for all operations that use it. */
function onParameters(
  fits: (parameter: Parameter, draft: Contract) => boolean,
  apply: (parameter: Parameter, draft: Contract) => void,
): Mutation['edits'] {
  return (draft) =>
    [
      ...Object.values(draft.components.parameters ?? {}),
      ...operationSites(draft).flatMap(({ operation }) => operation.parameters ?? []),
    ]
      .filter((node): node is Parameter => !('$ref' in node))
      .filter((parameter) => fits(parameter, draft))
      .map((parameter) => ({
        where: `${parameter.in} ${parameter.name}`,
        apply: () => {
          apply(parameter, draft);
        },
      }));
}

const EXTRA = {
  name: 'extra',
  in: 'query',
  description: 'Something more.',
  schema: { type: 'string', maxLength: 10 },
  example: 'x',
};

function add(operation: Partial<Operation>, parameter: object): void {
  set(operation, { parameters: [...(operation.parameters ?? []), parameter as Parameter | Reference] });
}

const optional = ({ required, in: place }: Parameter) => required !== true && place !== 'path';

export const parameters: readonly Mutation[] = [
  {
    name: 'optional parameter added',
    expected: 'non-breaking',
    edits: onOperations(
      (_, { method }) => method === 'get',
      (operation) => {
        add(operation, EXTRA);
      },
    ),
  },
  {
    name: 'required parameter added',
    expected: 'breaking',
    edits: onOperations(
      (_, { method }) => method === 'get',
      (operation) => {
        add(operation, { ...EXTRA, required: true });
      },
    ),
  },
  {
    name: 'parameter removed',
    expected: 'breaking',
    edits: (draft) =>
      operationSites(draft).flatMap(({ operation, method, path }) =>
        (operation.parameters ?? [])
          .map((node, index) => ({
            where: `${method} ${path} ${index}`,
            node,
            apply: () => set(operation, { parameters: operation.parameters?.filter((_, other) => other !== index) }),
          }))
          .filter(
            ({ node }) =>
              ('$ref' in node ? draft.components.parameters?.[node.$ref.split('/').at(-1) ?? ''] : node) as
                | Parameter
                | undefined,
          ),
      ),
  },
  {
    name: 'parameter renamed',
    expected: 'breaking',
    edits: onParameters(
      ({ in: place }) => place !== 'path',
      (parameter) => set(parameter, { name: `${parameter.name}New` }),
    ),
  },
  {
    name: 'parameter moved to another place',
    expected: 'breaking',
    edits: onParameters(
      ({ in: place }) => place === 'query',
      (parameter) => set(parameter, { in: 'header' }),
    ),
  },
  {
    name: 'parameter became required',
    expected: 'breaking',
    edits: onParameters(optional, (parameter) => set(parameter, { required: true })),
  },
  {
    name: 'parameter description changed',
    expected: 'docs-only',
    edits: onParameters(
      () => true,
      (parameter) => set(parameter, { description: 'Another description.' }),
    ),
  },
  {
    name: 'example of a parameter edited',
    expected: 'docs-only',
    edits: onParameters(
      ({ example }) => example !== undefined,
      (parameter) => set(parameter, { example: 'other' }),
    ),
  },
  {
    name: 'default of a parameter changed',
    expected: 'breaking',
    edits: onParameters(
      ({ schema }) => schema.default !== undefined,
      ({ schema }) => set(schema, { default: typeof schema.default === 'number' ? schema.default + 1 : 'other' }),
    ),
  },
  {
    name: 'type of a parameter changed',
    expected: 'breaking',
    edits: onParameters(
      ({ schema }) => schema.type === 'string',
      (parameter) => set(parameter, { schema: { type: 'integer', minimum: 0, maximum: 9 } }),
    ),
  },
  {
    name: 'parameter shortened',
    expected: 'breaking',
    edits: onParameters(
      ({ schema }) => schema.maxLength !== undefined,
      ({ schema }) => set(schema, { maxLength: 2 }),
    ),
  },
  {
    name: 'parameter lengthened',
    expected: 'non-breaking',
    edits: onParameters(
      ({ schema }) => schema.maxLength !== undefined,
      ({ schema }) => set(schema, { maxLength: (schema.maxLength ?? 0) + 10 }),
    ),
  },
  {
    name: 'value of a parameter withdrawn',
    expected: 'breaking',
    edits: onParameters(
      ({ schema }, draft) => (dereference(draft, schema).enum?.length ?? 0) > 1,
      (parameter, draft) =>
        set(parameter, {
          schema: {
            ...dereference(draft, parameter.schema),
            enum: dereference(draft, parameter.schema).enum?.slice(1),
          },
        }),
    ),
  },
  {
    name: 'value of a parameter added',
    expected: 'non-breaking',
    edits: onParameters(
      ({ schema }, draft) => (dereference(draft, schema).enum?.length ?? 0) > 1,
      (parameter, draft) =>
        set(parameter, {
          schema: {
            ...dereference(draft, parameter.schema),
            enum: [...(dereference(draft, parameter.schema).enum ?? []), 'other'],
          },
        }),
    ),
  },
  {
    name: 'list in a parameter written otherwise',
    expected: 'breaking',
    edits: onParameters(
      ({ schema, in: place }) => schema.type === 'array' && place === 'query',
      (parameter) => set(parameter, { style: 'spaceDelimited', explode: false }),
    ),
  },
  {
    name: 'parameter deprecated',
    expected: 'non-breaking',
    edits: onParameters(optional, (parameter) => set(parameter, { deprecated: true })),
  },
];
