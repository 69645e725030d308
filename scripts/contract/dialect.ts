/**
 * Dialect of the contract: defines every member `x-…` of openapi.yaml once. From this table follow the TypeScript types
 * of the contract, the columns of the server's operation table, the lint rules about unknown members and values of a
 * wrong form, the rules of `make diff` about these members, and the page docs/guides/contract-dialect.md.
 */
import { member } from './member.ts';
import type { Member, Place } from './member.ts';

const DATE = { type: 'string', format: 'date' } as const;
const CAMEL_CASE = '^[a-z][a-zA-Z0-9]*$';
const AUDIT_ACTION = '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$';
const CHAIN = '^[a-z][a-zA-Z0-9]*(\\.[a-z][a-zA-Z0-9]*)*$';

/**
 * Returns whether a name in `aliases` of `x-sdk` is the name of a method; a name without a resource is an operation id.
 */
export function isMethod(alias: string): boolean {
  return alias.includes('.');
}

/** Members of operations in the order in which they are written, then those of parameters and schemas. */
export const dialect = {
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
  'x-browser': member({
    on: ['operation'],
    schema: { const: true },
    default: false,
    column: 'browser',
    changes: [
      {
        rule: 'browser-changed',
        gained: ['breaking', 'is for the pages of the service alone now'],
        lost: ['non-breaking', 'is open to programs now'],
      },
    ],
    text:
      'for the pages of the service in a browser, which keep a credential in a cookie: refused to pages of other ' +
      'sites, and left out of both SDKs; only such operations read and set cookies',
  }),
  'x-roles': member({
    on: ['operation'],
    required: true,
    schema: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    default: [],
    column: 'roles',
    changes: [
      {
        rule: 'roles-changed',
        absent: [],
        gained: ['non-breaking', 'also for {items}'],
        lost: ['breaking', 'no longer for {items}'],
      },
    ],
    text:
      'the dashboard roles that may call; `[platform_admin]` alone marks work of platform staff, outside ' +
      'the tenant of the caller',
  }),
  'x-human-only': member({
    on: ['operation'],
    schema: { const: true },
    default: false,
    column: 'humanOnly',
    changes: [
      {
        rule: 'human-only-changed',
        gained: ['breaking', 'is for people alone now'],
        lost: ['non-breaking', 'is no longer for people alone'],
      },
    ],
    text: 'API keys and machine tokens are refused',
  }),
  'x-self': member({
    on: ['operation'],
    schema: { type: 'string', pattern: CAMEL_CASE },
    default: null,
    column: 'self',
    changes: [
      {
        rule: 'self-changed',
        of: () => true,
        gained: ['non-breaking', 'also for the own record'],
        lost: ['breaking', 'no longer for the own record'],
      },
    ],
    text:
      'names the path parameter that holds a user id: people may call the operation on their own ' +
      'record whatever their role',
  }),
  'x-step-up': member({
    on: ['operation'],
    schema: { const: true },
    default: false,
    column: 'stepUp',
    changes: [
      {
        rule: 'second-factor-changed',
        gained: ['breaking', 'asks for a second factor'],
        lost: ['non-breaking', 'no longer asks for a second factor'],
      },
    ],
    text:
      'demands a second factor in this request (declare the header parameter `X-TOTP-Code` too) or within the last ' +
      'five minutes of the session',
  }),
  'x-mfa-exempt': member({
    on: ['operation'],
    schema: { const: true },
    default: false,
    column: 'mfaExempt',
    changes: [
      {
        rule: 'second-factor-changed',
        gained: ['non-breaking', 'is open before the second factor is set up'],
        lost: ['breaking', 'is closed until the second factor is set up'],
      },
    ],
    text: 'open to people who still have to set up the second factor that the tenant demands',
  }),
  'x-needs-full-data': member({
    on: ['operation', 'parameter'],
    schema: { const: true },
    default: false,
    changes: [
      {
        rule: 'full-data-changed',
        gained: ['breaking', 'is refused to callers who are shown personal data masked'],
        lost: ['non-breaking', 'is open to callers who are shown personal data masked'],
      },
    ],
    text:
      'refused to callers who are shown personal data masked; on a query parameter, calls that use it are, and the ' +
      'quota of look-ups counts them',
  }),
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
  'x-pii': member({
    on: ['schema'],
    schema: { const: true },
    default: false,
    changes: [
      {
        rule: 'personal-data-changed',
        gained: ['non-breaking', 'is redacted in logs'],
        lost: ['breaking', 'is no longer redacted in logs'],
      },
    ],
    text: 'personal data: masked in the logs of the service and of the SDKs',
  }),
  'x-masked': member({
    on: ['schema'],
    schema: { enum: ['removed', 'absent', 'hidden', 'initials', 'partial', 'extension'] },
    changes: [
      {
        rule: 'personal-data-changed',
        gained: ['non-breaking', 'is masked for readers who see personal data masked'],
        lost: ['breaking', 'is no longer masked for readers who see personal data masked'],
        changed: ['non-breaking', 'was masked as `{before}` and is masked as `{after}`'],
      },
    ],
    text:
      'how readers see a member who see personal data masked: `removed` is null or an empty list, `absent` leaves ' +
      'the member out, `hidden` is `***` in the place of a text, `initials` is what is left of a name, `partial` ' +
      'the middle of a number, `extension` the end of a file name. In what a record with `personalDataMasked` ' +
      'holds, every member with `x-pii` states it',
  }),
  'x-merge-patch-of': member({
    on: ['schema'],
    schema: { type: 'string', pattern: '^[A-Z][a-zA-Z0-9]*$' },
    text:
      'names what creates the record of which this is a merge patch (RFC 7396): `make format` writes the members, ' +
      'each optional and nullable, and the result is judged by what is named',
  }),
  'x-must-be': member({
    on: ['schema'],
    schema: { type: 'string', minLength: 1 },
    text:
      'what the `pattern` beside it allows, in words that complete "must be …": whoever sends ' +
      'something else is told them',
  }),
  'x-not-before': member({
    on: ['schema'],
    schema: DATE,
    changes: [
      {
        rule: 'bound-changed',
        gained: ['breaking', 'must not be before {after} now'],
        lost: ['non-breaking', 'may be before {before} now'],
        changed: ['breaking', 'must not be before {after}, and was not before {before}'],
      },
    ],
    text: 'the first day that a calendar date of a request may be',
  }),
  'x-in-order': member({
    on: ['schema'],
    schema: {
      type: 'array',
      items: { type: 'array', items: { type: 'string', pattern: CAMEL_CASE }, minItems: 2 },
      minItems: 1,
    },
    changes: [
      {
        rule: 'bound-changed',
        absent: [],
        by: 'item',
        of: (pairs) => pairs.map((pair) => pair.join(' and ')),
        gained: ['breaking', 'must be in order now: {items}'],
        lost: ['non-breaking', 'may be in any order now: {items}'],
      },
    ],
    text: 'pairs of members of a request, dates, instants or numbers, of which the first must not be after the second',
  }),
  'x-enum-open': member({
    on: ['schema'],
    schema: { const: true },
    default: false,
    changes: [
      {
        rule: 'enum-closed',
        gained: ['breaking', 'became an open enumeration'],
        lost: ['breaking', 'is no longer an open enumeration'],
      },
    ],
    text: 'clients must tolerate values that come later',
  }),
  'x-problems': member({
    on: ['schema'],
    schema: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
      additionalProperties: {
        type: 'object',
        required: ['status', 'title', 'description'],
        additionalProperties: false,
        properties: {
          status: { type: 'integer', minimum: 400, maximum: 599 },
          title: { type: 'string' },
          description: { type: 'string' },
          members: { type: 'array', items: { type: 'string', pattern: CAMEL_CASE }, uniqueItems: true },
        },
      },
    },
    changes: [
      {
        rule: 'problems-changed',
        absent: {},
        by: 'entry',
        of: (problems) => Object.fromEntries(Object.entries(problems).map(([code, { status }]) => [code, status])),
        gained: ['non-breaking', 'is a new problem code'],
        lost: ['breaking', 'is no longer a problem code'],
        changed: ['breaking', 'was a {before} and is a {after}'],
      },
    ],
    text:
      'beside the enumeration `ProblemCode`: status, title and advice of each code, and the `members` of ' +
      "`Problem` that come with it; the server's catalogue, the SDKs' error classes and the " +
      'problem pages follow from it',
  }),
  'x-audit-actions': member({
    on: ['schema'],
    schema: {
      type: 'object',
      propertyNames: { pattern: AUDIT_ACTION },
      additionalProperties: {
        type: 'array',
        items: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
        minItems: 1,
        uniqueItems: true,
      },
    },
    changes: [
      {
        rule: 'audit-actions-changed',
        absent: [],
        by: 'item',
        of: (actions) =>
          Object.entries(actions).flatMap(([action, types]) => types.map((type) => `${action} about ${type}`)),
        gained: ['non-breaking', 'may also hold {items}'],
        lost: ['breaking', 'no longer holds {items}'],
      },
    ],
    text:
      'beside the schema `AuditEvent`: every action that the service writes to the audit log, in calls and in ' +
      'periodic work, and the types of the resources that it is about; the types of the server and of the ' +
      'dashboard follow from it',
  }),
};

export type Dialect = typeof dialect;
export type MemberName = keyof Dialect;

/** All members, typed without their individual names. */
export const members = Object.entries(dialect) as readonly (readonly [MemberName, Member])[];

/** Returns the names of the members that may occur at a place. */
export function namesOn(place: Place): ReadonlySet<string> {
  return new Set(members.filter(([, { on }]) => on.includes(place)).map(([name]) => name));
}
