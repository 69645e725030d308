/**
 * The members of the dialect (`x-…`) that say who may call an operation. Used by dialect-operations.ts. The schema of a
 * member is what lint enforces, and `changes` is what `make diff` reports.
 */
import { CAMEL_CASE } from './dialect-patterns.ts';
import { member } from './member.ts';

/** Members of operations that say who may call them, and after which proof of identity. */
export const accessMembers = {
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
  'x-sealed': member({
    on: ['operation'],
    schema: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      uniqueItems: true,
    },
    default: [],
    column: 'sealed',
    changes: [
      {
        rule: 'sealed-changed',
        of: () => 'sealed',
        gained: ['breaking', 'does not exist for others than its roles now'],
        lost: ['non-breaking', 'is no longer hidden from others than its roles'],
      },
    ],
    text:
      'the roles of `x-roles`, stated again: for everybody else the operation answers as a path that does not exist, ' +
      'before anything is looked up, and its events stand in a second audit log that only these roles are shown',
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
};
