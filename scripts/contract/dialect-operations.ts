/**
 * The members of the dialect (`x-…`) on operations. Used by the dialect and by the model of the generators. A member
 * that is missing here is refused by lint.
 */
import { accessMembers } from './dialect-access.ts';
import { AUDIT_ACTION, CAMEL_CASE, DATE } from './dialect-patterns.ts';
import { member } from './member.ts';

const CHAIN = '^[a-z][a-zA-Z0-9]*(\\.[a-z][a-zA-Z0-9]*)*$';

/**
 * Returns whether a name in `aliases` of `x-sdk` is the name of a method; a name without a resource is an operation id.
 */
export function isMethod(alias: string): boolean {
  return alias.includes('.');
}

/** Members of operations in the order in which they are written. */
export const operationMembers = {
  'x-deprecated-since': member({
    on: ['operation'],
    schema: DATE,
    text:
      'the day from which the operation is deprecated; stands beside `deprecated: true`, at least ' +
      '365 days before `x-sunset`',
  }),
  'x-sunset': member({
    on: ['operation'],
    schema: DATE,
    text:
      'the day after which the deprecated operation may be gone; it may become later, never ' +
      'earlier, whatever the version',
  }),
  'x-sdk': member({
    on: ['operation'],
    required: true,
    schema: {
      type: 'object',
      required: ['resource', 'method'],
      additionalProperties: false,
      properties: {
        resource: { type: 'string', pattern: CHAIN },
        method: { type: 'string', pattern: CAMEL_CASE },
        aliases: {
          type: 'array',
          items: { type: 'string', pattern: CHAIN },
          minItems: 1,
          uniqueItems: true,
        },
      },
    },
    changes: [
      {
        rule: 'sdk-name-changed',
        absent: [],
        of: ({ resource, method, aliases = [] }) => [`${resource}.${method}`, ...aliases.filter(isMethod)],
        gained: ['non-breaking', 'SDK method {items} is new'],
        lost: ['breaking', 'SDK method {items} is gone'],
      },
      {
        rule: 'sdk-name-changed',
        absent: [],
        of: ({ aliases = [] }) => aliases.filter((name) => !isMethod(name)),
        lost: ['breaking', 'SDK function {items} is gone'],
      },
    ],
    text:
      'the name of the method in both SDKs, with which the operation id agrees; `aliases` are names from before, ' +
      'which both SDKs keep as deprecated: of the method (`users.sessions.end`) and of the operation ' +
      '(`endUserSessions`, a function of the TypeScript SDK)',
  }),
  ...accessMembers,
  'x-idempotent': member({
    on: ['operation'],
    schema: { const: true },
    default: false,
    column: 'idempotent',
    changes: [
      {
        rule: 'idempotency-changed',
        gained: ['non-breaking', 'honours Idempotency-Key'],
        lost: ['breaking', 'no longer honours Idempotency-Key'],
      },
    ],
    text: 'honours `Idempotency-Key`: the SDKs send one and may retry; declare the shared header parameter too',
  }),
  'x-rate-limit': member({
    on: ['operation'],
    schema: { enum: ['default', 'uploads', 'feed', 'login', 'reset'] },
    implied: '`uploads` where the body is `multipart/form-data`, `feed` where the pages hold `events`, else `default`',
    column: 'rateLimit',
    changes: [
      {
        rule: 'rate-limit-changed',
        nothing: 'the implied one',
        gained: ['docs-only', 'counts against quota {after}'],
        lost: ['docs-only', 'no longer counts against quota {before}'],
        changed: ['docs-only', 'counts against quota {after} instead of {before}'],
      },
    ],
    text:
      'the quota that counts the calls, per caller, or per address where the operation is public; its size is ' +
      'configured per installation',
  }),
  'x-transaction': member({
    on: ['operation'],
    schema: { enum: ['tenant', 'platform', 'own'] },
    implied: '`own` where `security` is empty, `platform` where `x-roles` is `[platform_admin]`, else `tenant`',
    column: 'transaction',
    text:
      "in which database transaction the handler runs: `tenant` sees the rows of the caller's tenant alone, " +
      '`platform` those that belong to no tenant (people, their passwords) as well, `own` leaves it to the ' +
      'handler when it needs a connection, as around the slow check of a password',
  }),
  'x-pagination': member({
    on: ['operation'],
    schema: {
      type: 'object',
      required: ['items'],
      additionalProperties: false,
      properties: { items: { enum: ['items', 'events'] } },
    },
    default: null,
    changes: [
      {
        rule: 'pagination-changed',
        of: ({ items }) => items,
        nothing: 'nothing',
        gained: ['breaking', 'pages by {before} became pages by {after}'],
        lost: ['breaking', 'pages by {before} became pages by {after}'],
        changed: ['breaking', 'pages by {before} became pages by {after}'],
      },
    ],
    text: 'a list with a cursor; the SDKs make an iterator of it. Names the member of the answer that holds the items',
  }),
  'x-follow': member({
    on: ['operation'],
    schema: {
      type: 'object',
      required: ['acknowledge', 'interval'],
      additionalProperties: false,
      properties: { acknowledge: { type: 'string', pattern: CAMEL_CASE }, interval: { type: 'string' } },
    },
    default: null,
    changes: [
      {
        rule: 'follow-changed',
        gained: ['non-breaking', 'can be followed'],
        lost: ['breaking', 'can no longer be followed'],
        changed: ['breaking', 'is followed in another way'],
      },
    ],
    text:
      'the list is a feed: the SDKs make a method `follow` of it, from the operation that acknowledges a cursor and ' +
      'the header that tells when to come back',
  }),
  'x-acknowledges': member({
    on: ['operation'],
    schema: { const: true },
    default: false,
    column: 'acknowledges',
    changes: [
      {
        rule: 'acknowledgement-changed',
        gained: ['breaking', 'acknowledges what came before its cursor'],
        lost: ['breaking', 'no longer acknowledges what came before its cursor'],
      },
    ],
    text: 'a list whose `cursor` acknowledges what came before it: a read that writes',
  }),
  'x-audit-events': member({
    on: ['operation'],
    schema: {
      type: 'array',
      items: { type: 'string', pattern: AUDIT_ACTION },
      minItems: 1,
      uniqueItems: true,
    },
    default: [],
    column: 'auditEvents',
    changes: [
      {
        rule: 'audit-events-changed',
        absent: [],
        by: 'item',
        gained: ['non-breaking', 'also writes {items}'],
        lost: ['breaking', 'no longer writes {items}'],
      },
    ],
    text:
      'what a call may write to the audit log, in its own transaction; every mutation states it. Each stands in ' +
      '`x-audit-actions`',
  }),
  'x-state-transitions': member({
    on: ['operation'],
    schema: {
      type: 'object',
      required: ['from', 'to'],
      additionalProperties: false,
      properties: {
        from: { type: 'array', items: { type: 'string' }, uniqueItems: true },
        to: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          uniqueItems: true,
        },
      },
    },
    default: null,
    column: 'transitions',
    changes: [
      {
        rule: 'transitions-changed',
        of: ({ from }) => from,
        gained: ['non-breaking', 'also allowed from {items}'],
        lost: ['breaking', 'no longer allowed from {items}'],
      },
      {
        rule: 'transitions-changed',
        of: ({ from }) => (from.length > 0 ? 'bound' : undefined),
        gained: ['breaking', 'is refused in some statuses now'],
        lost: ['non-breaking', 'is no longer refused in some statuses'],
      },
      // An older contract has one status, as a string.
      {
        rule: 'transitions-changed',
        of: ({ to }) => [to].flat(),
        gained: ['non-breaking', 'may also lead to {items}'],
        lost: ['breaking', 'no longer leads to {items}'],
      },
    ],
    text:
      'the statuses from which the call is allowed (none: it creates) and those to which it may lead; others answer ' +
      '409 with `allowedTransitions`',
  }),
  'x-assumption': member({
    on: ['operation'],
    schema: { type: 'string', minLength: 1 },
    text: 'a gap of the specification that this operation fills, for people',
  }),
};
