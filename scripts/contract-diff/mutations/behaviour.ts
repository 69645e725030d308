/**
 * Mutations (kinds of change) of what the contract promises beside the shape of messages, with their verdicts. Used by
 * run.ts. A wrong verdict here would make a right one of the comparison look wrong.
 */
import type { Contract } from '../../contract/contract.ts';
import { drop, onOperations, set } from './kit.ts';
import type { Edit, Mutation } from './kit.ts';

interface Catalogue {
  readonly enum: readonly string[];
  readonly 'x-problems': Record<string, { status: number; title: string; description: string }>;
}

function onCodes(apply: (catalogue: Catalogue, code: string) => void): Mutation['edits'] {
  return (draft: Contract): Edit[] => {
    const catalogue = draft.components.schemas?.['ProblemCode'] as Catalogue;
    return Object.keys(catalogue['x-problems']).map((code) => ({
      where: code,
      apply: () => {
        apply(catalogue, code);
      },
    }));
  };
}

/** Promises of the server other than the shape of messages, and the resulting behaviour of the SDKs. */
export const behaviour: readonly Mutation[] = [
  {
    name: 'idempotency withdrawn',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-idempotent'] === true,
      (operation) => drop(operation, 'x-idempotent'),
    ),
  },
  {
    name: 'idempotency promised',
    expected: 'non-breaking',
    edits: onOperations(
      (operation, { method }) => operation['x-idempotent'] === undefined && method === 'post',
      (operation) =>
        set(operation, {
          'x-idempotent': true,
          parameters: [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }],
        }),
    ),
  },
  {
    name: 'pagination withdrawn',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-pagination'] !== undefined,
      (operation) => drop(operation, 'x-pagination'),
    ),
  },
  {
    name: 'pagination begun',
    expected: 'breaking',
    edits: onOperations(
      (operation, { method }) => operation['x-pagination'] === undefined && method === 'get',
      (operation) => set(operation, { 'x-pagination': { items: 'items' } }),
    ),
  },
  {
    name: 'reading acknowledges',
    expected: 'breaking',
    edits: onOperations(
      (operation, { method }) => method === 'get' && operation['x-acknowledges'] !== true,
      (operation) => set(operation, { 'x-acknowledges': true }),
    ),
  },
  {
    name: 'following withdrawn',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-follow'] !== undefined,
      (operation) => drop(operation, 'x-follow'),
    ),
  },
  {
    name: 'transition no longer allowed',
    expected: 'breaking',
    edits: onOperations(
      (operation) => (operation['x-state-transitions']?.from.length ?? 0) > 0,
      (operation) =>
        set(operation, {
          'x-state-transitions': {
            ...operation['x-state-transitions'],
            from: operation['x-state-transitions']?.from.slice(1),
          },
        }),
    ),
  },
  {
    name: 'transition allowed newly',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => (operation['x-state-transitions']?.from.length ?? 0) > 0,
      (operation) =>
        set(operation, {
          'x-state-transitions': {
            ...operation['x-state-transitions'],
            from: [...(operation['x-state-transitions']?.from ?? []), 'paused'],
          },
        }),
    ),
  },
  {
    name: 'transition leads elsewhere',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-state-transitions'] !== undefined,
      (operation) => set(operation, { 'x-state-transitions': { ...operation['x-state-transitions'], to: ['paused'] } }),
    ),
  },
  {
    name: 'transition demanded',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-state-transitions'] === undefined,
      (operation) => set(operation, { 'x-state-transitions': { from: ['paused'], to: ['resumed'] } }),
    ),
  },
  {
    name: 'masked callers refused',
    expected: 'breaking',
    edits: onOperations(
      (operation) => operation['x-needs-full-data'] !== true,
      (operation) => set(operation, { 'x-needs-full-data': true }),
    ),
  },
  {
    name: 'counted by another quota',
    expected: 'docs-only',
    edits: onOperations(
      (operation) => operation['x-rate-limit'] === undefined,
      (operation) => set(operation, { 'x-rate-limit': 'login' }),
    ),
  },
  {
    name: 'handled in another transaction',
    expected: 'docs-only',
    edits: onOperations(
      (operation) => operation['x-transaction'] === undefined,
      (operation) => set(operation, { 'x-transaction': 'platform' }),
    ),
  },
  {
    name: 'audit event no longer written',
    expected: 'breaking',
    edits: onOperations(
      (operation) => (operation['x-audit-events']?.length ?? 0) > 0,
      (operation) => set(operation, { 'x-audit-events': operation['x-audit-events']?.slice(1) }),
    ),
  },
  {
    name: 'audit event written newly',
    expected: 'non-breaking',
    edits: onOperations(
      (operation) => (operation['x-audit-events']?.length ?? 0) > 0,
      (operation) => set(operation, { 'x-audit-events': [...(operation['x-audit-events'] ?? []), 'thing.touched'] }),
    ),
  },
  {
    name: 'problem code withdrawn',
    expected: 'breaking',
    edits: onCodes((catalogue, code) => {
      drop(catalogue['x-problems'], code);
      set(catalogue, { enum: catalogue.enum.filter((value) => value !== code) });
    }),
  },
  {
    name: 'problem code added',
    expected: 'non-breaking',
    edits: onCodes((catalogue) => {
      set(catalogue['x-problems'], { brand_new: { status: 409, title: 'New', description: 'New.' } });
      set(catalogue, { enum: [...catalogue.enum, 'brand_new'] });
    }),
  },
  {
    name: 'problem code moved to another status',
    expected: 'breaking',
    edits: onCodes((catalogue, code) => set(catalogue['x-problems'][code] ?? {}, { status: 418 })),
  },
  {
    name: 'advice of a problem edited',
    expected: 'docs-only',
    edits: onCodes((catalogue, code) => set(catalogue['x-problems'][code] ?? {}, { description: 'Better advice.' })),
  },
  {
    name: 'server removed',
    expected: 'breaking',
    edits: (draft) => [
      {
        where: 'servers',
        apply: () => set(draft, { servers: [{ url: 'https://elsewhere.test' }] }),
      },
    ],
  },
  {
    name: 'server added',
    expected: 'non-breaking',
    edits: (draft) => [
      {
        where: 'servers',
        apply: () => set(draft, { servers: [...(draft.servers ?? []), { url: 'https://elsewhere.test' }] }),
      },
    ],
  },
  {
    name: 'guide edited',
    expected: 'docs-only',
    edits: (draft) => [
      {
        where: 'info',
        apply: () => set(draft.info, { description: 'Another guide.' }),
      },
    ],
  },
  {
    name: 'tag description changed',
    expected: 'docs-only',
    edits: (draft) =>
      (draft.tags ?? []).map((tag) => ({
        where: tag.name,
        apply: () => set(tag, { description: 'Another description.' }),
      })),
  },
];
