/**
 * The members of the dialect (`x-…`) on schemas. Used by the dialect. A member that is missing here is refused by lint.
 */
import { AUDIT_ACTION, CAMEL_CASE, DATE } from './dialect-patterns.ts';
import { member } from './member.ts';

/** Members of schemas. */
export const schemaMembers = {
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
  'x-max-bytes': member({
    on: ['schema'],
    schema: { type: 'integer', minimum: 2, maximum: 1_048_576 },
    changes: [
      {
        rule: 'bound-changed',
        gained: ['breaking', 'has at most {after} bytes now'],
        lost: ['non-breaking', 'may have more than {before} bytes now'],
        lowered: ['breaking', 'has at most {after} bytes, and had at most {before}'],
        raised: ['non-breaking', 'has at most {after} bytes, and had at most {before}'],
      },
    ],
    text:
      'the most bytes that the JSON text of this object may have in a request, as it was sent. What the object holds ' +
      'may hold itself, because the text bounds it',
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
