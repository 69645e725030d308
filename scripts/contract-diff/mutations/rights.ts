/** Mutations of who may call an operation, with their verdicts. Used by run.ts. */
import type { SecurityRequirement } from '../../contract/contract.ts';
import { drop, onOperations, set } from './kit.ts';
import type { Mutation } from './kit.ts';

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
    edits: onOperations(secured, (operation) =>
      set(operation, {
        security: operation.security?.map((requirement) =>
          Object.fromEntries(Object.keys(requirement).map((scheme) => [scheme, ['extra']])),
        ),
      }),
    ),
  },
  {
    name: 'further scope demanded',
    expected: 'breaking',
    edits: onOperations(secured, (operation) =>
      set(operation, {
        security: operation.security?.map((requirement) =>
          Object.fromEntries(Object.entries(requirement).map(([scheme, scopes]) => [scheme, [...scopes, 'extra']])),
        ),
      }),
    ),
  },
  {
    name: 'scope no longer demanded',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => operation.security?.some((requirement) => (requirement['apiKey'] ?? []).length > 0) ?? false,
      (operation) =>
        set(operation, {
          security: operation.security?.map((requirement) => ('apiKey' in requirement ? { apiKey: [] } : requirement)),
        }),
    ),
  },
  {
    name: 'credential no longer accepted',
    expected: 'breaking',
    edits: onOperations(several, (operation) => set(operation, { security: operation.security?.slice(1) })),
  },
  {
    name: 'credential accepted newly',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => operation.security?.length === 1,
      (operation) => set(operation, { security: [...(operation.security ?? []), { apiKey: ['read'] }] }),
    ),
  },
  {
    name: 'credentials reordered',
    expected: 'docs-only',
    edits: onOperations(several, (operation) =>
      set(operation, { security: [...(operation.security ?? [])].reverse() }),
    ),
  },
  {
    name: 'public operation secured',
    expected: 'breaking',
    edits: onOperations(isPublic, (operation) => set(operation, { security: [{ apiKey: ['read'] }] })),
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
    edits: onOperations(secured, (operation) => set(operation, { security: [] })),
  },
  {
    name: 'operation made public by inheritance',
    expected: 'non-breaking',
    edits: onOperations(secured, (operation) => drop(operation, 'security')),
  },
  {
    name: 'role withdrawn',
    expected: 'breaking',
    edits: onOperations(
      (operation) => (operation['x-roles']?.length ?? 0) > 1,
      (operation) => set(operation, { 'x-roles': operation['x-roles']?.slice(1) }),
    ),
  },
  {
    name: 'role admitted',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => (operation['x-roles']?.length ?? 0) > 0,
      (operation) => set(operation, { 'x-roles': [...(operation['x-roles'] ?? []), 'auditor_general'] }),
    ),
  },
  {
    name: 'roles reordered',
    expected: 'docs-only',
    edits: onOperations(
      (operation) => (operation['x-roles']?.length ?? 0) > 1,
      (operation) => set(operation, { 'x-roles': [...(operation['x-roles'] ?? [])].reverse() }),
    ),
  },
  {
    name: 'reserved for people',
    expected: 'breaking',
    edits: onOperations(
      (operation) => several(operation) && operation['x-human-only'] === undefined,
      (operation) => set(operation, { 'x-human-only': true }),
    ),
  },
  {
    name: 'no longer reserved for people',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => operation['x-human-only'] === true,
      (operation) => drop(operation, 'x-human-only'),
    ),
  },
  {
    name: 'hidden from others',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-human-only'] === true && operation['x-sealed'] === undefined,
      (operation) => set(operation, { 'x-sealed': [...(operation['x-roles'] ?? [])] }),
    ),
  },
  {
    name: 'no longer hidden from others',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => operation['x-sealed'] !== undefined,
      (operation) => drop(operation, 'x-sealed'),
    ),
  },
  {
    name: 'reserved for the pages of the service',
    expected: 'breaking',
    edits: onOperations(
      (operation) => isPublic(operation) && operation['x-browser'] === undefined,
      (operation) => set(operation, { 'x-browser': true }),
    ),
  },
  {
    name: 'opened to programs',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => operation['x-browser'] === true,
      (operation) => drop(operation, 'x-browser'),
    ),
  },
  {
    name: 'second factor demanded',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-step-up'] === undefined,
      (operation) => set(operation, { 'x-step-up': true }),
    ),
  },
  {
    name: 'second factor no longer demanded',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => operation['x-step-up'] === true,
      (operation) => drop(operation, 'x-step-up'),
    ),
  },
  {
    name: 'exemption from the second factor ended',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-mfa-exempt'] === true,
      (operation) => drop(operation, 'x-mfa-exempt'),
    ),
  },
  {
    name: 'right over the own record withdrawn',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-self'] !== undefined,
      (operation) => drop(operation, 'x-self'),
    ),
  },
  {
    name: 'header of the API key renamed',
    expected: 'breaking',
    edits: (draft) => [
      {
        where: 'apiKey',
        apply: () => set(draft.components.securitySchemes?.['apiKey'] ?? {}, { name: 'X-Key' }),
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
          apply: () => drop(scopes, scope),
        })),
      ),
  },
  {
    name: 'scope added to the OAuth flow',
    expected: 'non-breaking',
    edits: (draft) =>
      Object.entries(draft.components.securitySchemes?.['oauth2']?.flows ?? {}).map(([name, { scopes }]) => ({
        where: name,
        apply: () => set(scopes, { extra: 'Something more.' }),
      })),
  },
  {
    name: 'token URL moved',
    expected: 'breaking',
    edits: (draft) =>
      Object.entries(draft.components.securitySchemes?.['oauth2']?.flows ?? {}).map(([name, flow]) => ({
        where: name,
        apply: () => set(flow, { tokenUrl: '/oauth2/token' }),
      })),
  },
];
