import { dereference } from '../../contract/contract.ts';
import type { Contract, Operation, Parameter, Reference, SecurityRequirement } from '../../contract/contract.ts';
import { operationSites } from '../../contract/walk.ts';
import type { OperationSite } from '../../contract/walk.ts';
import { drop, set } from './kit.ts';
import type { Mutation } from './kit.ts';

/** Returns edits of every operation that matches. */
export function onOperations(
  fits: (operation: Partial<Operation>, site: OperationSite) => boolean,
  apply: (operation: Partial<Operation>, site: OperationSite, draft: Contract) => void,
): Mutation['edits'] {
  return (draft) =>
    operationSites(draft)
      .filter((site) => fits(site.operation, site))
      .map((site) => ({
        where: `${site.method} ${site.path}`,
        apply: () => {
          apply(site.operation, site, draft);
        },
      }));
}

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
    edits: onOperations(any, (_, { item, method }) => {
      drop(item, method);
    }),
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
    edits: onOperations(any, (operation) => {
      set(operation, { operationId: `${operation.operationId}New` });
    }),
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
    edits: onOperations(any, (operation) => {
      set(operation, { 'x-sdk': { ...operation['x-sdk'], method: 'renamed' } });
    }),
  },
  {
    name: 'SDK resource renamed',
    expected: 'breaking',
    edits: onOperations(any, (operation) => {
      set(operation, { 'x-sdk': { ...operation['x-sdk'], resource: 'renamed' } });
    }),
  },
  {
    name: 'operation deprecated',
    expected: 'non-breaking',
    edits: onOperations(any, (operation) => {
      set(operation, { deprecated: true, 'x-deprecated-since': '2026-01-01', 'x-sunset': '2027-01-31' });
    }),
  },
  {
    name: 'operation summary edited',
    expected: 'docs-only',
    edits: onOperations(any, (operation) => {
      set(operation, { summary: `${operation.summary} now` });
    }),
  },
  {
    name: 'operation description edited',
    expected: 'docs-only',
    edits: onOperations(any, (operation) => {
      set(operation, { description: `${operation.description} Indeed.` });
    }),
  },
  {
    name: 'operation moved to another tag',
    expected: 'docs-only',
    edits: onOperations(
      (operation) => operation.tags?.[0] !== 'auth',
      (operation) => {
        set(operation, { tags: ['auth'] });
      },
    ),
  },
  {
    name: 'assumption noted',
    expected: 'docs-only',
    edits: onOperations(any, (operation) => {
      set(operation, { 'x-assumption': 'Another reading of the specification.' });
    }),
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

const secured = (operation: { readonly security?: readonly SecurityRequirement[] }) =>
  (operation.security ?? []).length > 0;
const several = (operation: { readonly security?: readonly SecurityRequirement[] }) =>
  (operation.security ?? []).length > 1;
const isPublic = (operation: { readonly security?: readonly SecurityRequirement[] }) =>
  operation.security?.length === 0;

/** Who may call: credentials, scopes, roles, second factors. */
export const rights: readonly Mutation[] = [
  {
    name: 'scope raised',
    expected: 'breaking',
    edits: onOperations(secured, (operation) => {
      set(operation, {
        security: operation.security?.map((requirement) =>
          Object.fromEntries(Object.keys(requirement).map((scheme) => [scheme, ['extra']])),
        ),
      });
    }),
  },
  {
    name: 'further scope demanded',
    expected: 'breaking',
    edits: onOperations(secured, (operation) => {
      set(operation, {
        security: operation.security?.map((requirement) =>
          Object.fromEntries(Object.entries(requirement).map(([scheme, scopes]) => [scheme, [...scopes, 'extra']])),
        ),
      });
    }),
  },
  {
    name: 'scope no longer demanded',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => operation.security?.some((requirement) => (requirement['apiKey'] ?? []).length > 0) ?? false,
      (operation) => {
        set(operation, {
          security: operation.security?.map((requirement) => ('apiKey' in requirement ? { apiKey: [] } : requirement)),
        });
      },
    ),
  },
  {
    name: 'credential no longer accepted',
    expected: 'breaking',
    edits: onOperations(several, (operation) => {
      set(operation, { security: operation.security?.slice(1) });
    }),
  },
  {
    name: 'credential accepted newly',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => operation.security?.length === 1,
      (operation) => {
        set(operation, { security: [...(operation.security ?? []), { apiKey: ['read'] }] });
      },
    ),
  },
  {
    name: 'credentials reordered',
    expected: 'docs-only',
    edits: onOperations(several, (operation) => {
      set(operation, { security: [...(operation.security ?? [])].reverse() });
    }),
  },
  {
    name: 'public operation secured',
    expected: 'breaking',
    edits: onOperations(isPublic, (operation) => {
      set(operation, { security: [{ apiKey: ['read'] }] });
    }),
  },
  {
    name: 'public operation secured by inheritance',
    expected: 'breaking',
    edits: onOperations(isPublic, (operation, _, draft) => {
      set(draft, { security: [{ apiKey: ['read'] }] });
      drop(operation, 'security');
    }),
  },
  {
    name: 'operation made public',
    expected: 'non-breaking',
    edits: onOperations(secured, (operation) => {
      set(operation, { security: [] });
    }),
  },
  {
    name: 'operation made public by inheritance',
    expected: 'non-breaking',
    edits: onOperations(secured, (operation) => {
      drop(operation, 'security');
    }),
  },
  {
    name: 'role withdrawn',
    expected: 'breaking',
    edits: onOperations(
      (operation) => (operation['x-roles']?.length ?? 0) > 1,
      (operation) => {
        set(operation, { 'x-roles': operation['x-roles']?.slice(1) });
      },
    ),
  },
  {
    name: 'role admitted',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => (operation['x-roles']?.length ?? 0) > 0,
      (operation) => {
        set(operation, { 'x-roles': [...(operation['x-roles'] ?? []), 'auditor_general'] });
      },
    ),
  },
  {
    name: 'roles reordered',
    expected: 'docs-only',
    edits: onOperations(
      (operation) => (operation['x-roles']?.length ?? 0) > 1,
      (operation) => {
        set(operation, { 'x-roles': [...(operation['x-roles'] ?? [])].reverse() });
      },
    ),
  },
  {
    name: 'reserved for people',
    expected: 'breaking',
    edits: onOperations(
      (operation) => several(operation) && operation['x-human-only'] === undefined,
      (operation) => {
        set(operation, { 'x-human-only': true });
      },
    ),
  },
  {
    name: 'no longer reserved for people',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => operation['x-human-only'] === true,
      (operation) => {
        drop(operation, 'x-human-only');
      },
    ),
  },
  {
    name: 'reserved for the pages of the service',
    expected: 'breaking',
    edits: onOperations(
      (operation) => isPublic(operation) && operation['x-browser'] === undefined,
      (operation) => {
        set(operation, { 'x-browser': true });
      },
    ),
  },
  {
    name: 'opened to programs',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => operation['x-browser'] === true,
      (operation) => {
        drop(operation, 'x-browser');
      },
    ),
  },
  {
    name: 'second factor demanded',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-step-up'] === undefined,
      (operation) => {
        set(operation, { 'x-step-up': true });
      },
    ),
  },
  {
    name: 'second factor no longer demanded',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => operation['x-step-up'] === true,
      (operation) => {
        drop(operation, 'x-step-up');
      },
    ),
  },
  {
    name: 'exemption from the second factor ended',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-mfa-exempt'] === true,
      (operation) => {
        drop(operation, 'x-mfa-exempt');
      },
    ),
  },
  {
    name: 'right over the own record withdrawn',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-self'] !== undefined,
      (operation) => {
        drop(operation, 'x-self');
      },
    ),
  },
  {
    name: 'header of the API key renamed',
    expected: 'breaking',
    edits: (draft) => [
      {
        where: 'apiKey',
        apply: () => {
          set(draft.components.securitySchemes?.['apiKey'] ?? {}, { name: 'X-Key' });
        },
      },
    ],
  },
  {
    name: 'scope removed from the OAuth flow',
    expected: 'breaking',
    edits: (draft) =>
      Object.entries(draft.components.securitySchemes?.['oauth2']?.flows ?? {}).flatMap(([name, { scopes }]) =>
        Object.keys(scopes).map((scope) => ({
          where: `${name} ${scope}`,
          apply: () => {
            drop(scopes, scope);
          },
        })),
      ),
  },
  {
    name: 'scope added to the OAuth flow',
    expected: 'non-breaking',
    edits: (draft) =>
      Object.entries(draft.components.securitySchemes?.['oauth2']?.flows ?? {}).map(([name, { scopes }]) => ({
        where: name,
        apply: () => {
          set(scopes, { extra: 'Something more.' });
        },
      })),
  },
  {
    name: 'token URL moved',
    expected: 'breaking',
    edits: (draft) =>
      Object.entries(draft.components.securitySchemes?.['oauth2']?.flows ?? {}).map(([name, flow]) => ({
        where: name,
        apply: () => {
          set(flow, { tokenUrl: '/oauth2/token' });
        },
      })),
  },
];

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
            apply: () => {
              set(operation, { parameters: operation.parameters?.filter((_, other) => other !== index) });
            },
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
      (parameter) => {
        set(parameter, { name: `${parameter.name}New` });
      },
    ),
  },
  {
    name: 'parameter moved to another place',
    expected: 'breaking',
    edits: onParameters(
      ({ in: place }) => place === 'query',
      (parameter) => {
        set(parameter, { in: 'header' });
      },
    ),
  },
  {
    name: 'parameter became required',
    expected: 'breaking',
    edits: onParameters(optional, (parameter) => {
      set(parameter, { required: true });
    }),
  },
  {
    name: 'parameter described anew',
    expected: 'docs-only',
    edits: onParameters(
      () => true,
      (parameter) => {
        set(parameter, { description: 'Another description.' });
      },
    ),
  },
  {
    name: 'example of a parameter edited',
    expected: 'docs-only',
    edits: onParameters(
      ({ example }) => example !== undefined,
      (parameter) => {
        set(parameter, { example: 'other' });
      },
    ),
  },
  {
    name: 'default of a parameter changed',
    expected: 'breaking',
    edits: onParameters(
      ({ schema }) => schema.default !== undefined,
      ({ schema }) => {
        set(schema, { default: typeof schema.default === 'number' ? schema.default + 1 : 'other' });
      },
    ),
  },
  {
    name: 'type of a parameter changed',
    expected: 'breaking',
    edits: onParameters(
      ({ schema }) => schema.type === 'string',
      (parameter) => {
        set(parameter, { schema: { type: 'integer', minimum: 0, maximum: 9 } });
      },
    ),
  },
  {
    name: 'parameter shortened',
    expected: 'breaking',
    edits: onParameters(
      ({ schema }) => schema.maxLength !== undefined,
      ({ schema }) => {
        set(schema, { maxLength: 2 });
      },
    ),
  },
  {
    name: 'parameter lengthened',
    expected: 'non-breaking',
    edits: onParameters(
      ({ schema }) => schema.maxLength !== undefined,
      ({ schema }) => {
        set(schema, { maxLength: (schema.maxLength ?? 0) + 10 });
      },
    ),
  },
  {
    name: 'value of a parameter withdrawn',
    expected: 'breaking',
    edits: onParameters(
      ({ schema }, draft) => (dereference(draft, schema).enum?.length ?? 0) > 1,
      (parameter, draft) => {
        set(parameter, {
          schema: {
            ...dereference(draft, parameter.schema),
            enum: dereference(draft, parameter.schema).enum?.slice(1),
          },
        });
      },
    ),
  },
  {
    name: 'value of a parameter added',
    expected: 'non-breaking',
    edits: onParameters(
      ({ schema }, draft) => (dereference(draft, schema).enum?.length ?? 0) > 1,
      (parameter, draft) => {
        set(parameter, {
          schema: {
            ...dereference(draft, parameter.schema),
            enum: [...(dereference(draft, parameter.schema).enum ?? []), 'other'],
          },
        });
      },
    ),
  },
  {
    name: 'list in a parameter written otherwise',
    expected: 'breaking',
    edits: onParameters(
      ({ schema, in: place }) => schema.type === 'array' && place === 'query',
      (parameter) => {
        set(parameter, { style: 'spaceDelimited', explode: false });
      },
    ),
  },
  {
    name: 'parameter deprecated',
    expected: 'non-breaking',
    edits: onParameters(optional, (parameter) => {
      set(parameter, { deprecated: true });
    }),
  },
];
