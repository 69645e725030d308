/** Tests of the sentences that say who may call an operation. */
import { describe, expect, it } from 'vitest';
import type { Operation, SecurityRequirement } from '../contract/contract.ts';
import { access } from './access.ts';

const EVERY_SCHEME: readonly SecurityRequirement[] = [
  { bearerAuth: ['read'] },
  { apiKey: ['read'] },
  { oauth2: ['read'] },
];

type Case = readonly [string, Pick<Operation, 'security'> & Partial<Operation>, readonly string[]];

describe('who may call an operation', () => {
  it.each<Case>([
    ['anybody without a credential', { security: [] }, ['Anybody: no credential is needed.']],
    [
      'every role',
      { security: EVERY_SCHEME, 'x-roles': ['owner', 'viewer'] },
      ['API keys and OAuth 2.0 tokens with the scope `read`.', 'People who are signed in: every role.'],
    ],
    [
      'some roles',
      { security: EVERY_SCHEME, 'x-roles': ['compliance_officer', 'analyst', 'owner'] },
      [
        'API keys and OAuth 2.0 tokens with the scope `read`.',
        'People who are signed in: compliance officer, analyst and owner.',
      ],
    ],
    [
      'tokens, but no keys',
      { security: [{ bearerAuth: ['read'] }, { oauth2: ['read'] }], 'x-roles': ['viewer'] },
      ['OAuth 2.0 tokens with the scope `read`.', 'People who are signed in: every role.'],
    ],
    ['keys alone', { security: [{ apiKey: ['write'] }], 'x-roles': ['owner'] }, ['API keys with the scope `write`.']],
    [
      'people alone, with a second factor',
      {
        security: [{ bearerAuth: [] }],
        'x-human-only': true,
        'x-step-up': true,
        'x-roles': ['platform_admin'],
      },
      [
        'No API key and no OAuth 2.0 token: only people who are signed in.',
        'People who are signed in: platform staff.',
        'A fresh second factor is asked for (`X-TOTP-Code`).',
      ],
    ],
    [
      'people on their own record',
      { security: EVERY_SCHEME, 'x-roles': ['owner', 'platform_admin'], 'x-self': 'userId' },
      [
        'API keys and OAuth 2.0 tokens with the scope `read`.',
        'People who are signed in: owner and platform staff.',
        'Everybody who is signed in, for their own record.',
      ],
    ],
    [
      'those who see everything',
      { security: EVERY_SCHEME, 'x-roles': ['owner'], 'x-needs-full-data': true },
      [
        'API keys and OAuth 2.0 tokens with the scope `read`.',
        'People who are signed in: owner.',
        'Nobody who is shown personal data masked.',
      ],
    ],
  ])('tells of %s', (_, members, sentences) => {
    const operation: Operation = {
      operationId: 'x',
      tags: [],
      summary: '',
      description: '',
      responses: {},
      'x-sdk': { resource: 'x', method: 'x' },
      'x-roles': [],
      ...members,
    };
    expect(access(operation)).toBe(['**Who may call it:**', ...sentences].join(' '));
  });
});
