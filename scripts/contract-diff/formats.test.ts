/** Tests of the forms in which a comparison is reported. */
import { describe, expect, it } from 'vitest';
import { comparisonOf } from './change.ts';
import type { Change } from './change.ts';
import { formats } from './formats.ts';
import { locator } from './locate.ts';

const CHANGES: readonly Change[] = [
  {
    impact: 'major',
    rule: 'sunset-policy',
    place: 'GET /v1/old',
    message: 'is gone without notice',
    policy: true,
  },
  {
    impact: 'major',
    rule: 'roles-changed',
    place: 'GET /v1/things',
    message: 'no longer for a | b: 100%',
  },
  {
    impact: 'minor',
    rule: 'member-added',
    place: 'Thing.size',
    message: 'added',
  },
  {
    impact: 'patch',
    rule: 'description-changed',
    place: 'info',
    message: 'description changed',
  },
];
const SOURCE = `openapi: 3.1.1
info:
  title: Things
paths:
  /v1/things:
    get:
      summary: List
components:
  schemas:
    Thing:
      properties:
        size: { type: integer }
`;
const locate = locator(SOURCE);
const render = (name: keyof typeof formats, changes = CHANGES, to = '2.0.0') =>
  formats[name](comparisonOf(changes, '1.4.0', to), locate, 'openapi.yaml');

describe('the report of a comparison', () => {
  it('groups changes by verdict for a terminal and ends with the version', () => {
    expect(render('text')).toBe(
      [
        'breaking:',
        '  GET /v1/old: is gone without notice (sunset-policy, against the policy)',
        '  GET /v1/things: no longer for a | b: 100% (roles-changed)',
        'non-breaking:',
        '  Thing.size: added (member-added)',
        'docs-only:',
        '  info: description changed (description-changed)',
        '2 breaking, 1 non-breaking, 1 docs-only. Version 1.4.0 → 2.0.0; needed: 2.0.0. 1 against the policy of ' +
          'sunsets, which no version excuses.',
      ].join('\n'),
    );
  });

  it('gives programs the verdict, the needed version and the line of each change', () => {
    expect(JSON.parse(render('json', CHANGES.slice(1), '1.4.0'))).toEqual({
      verdict: 'breaking',
      acceptable: false,
      version: { base: '1.4.0', revision: '1.4.0', needed: '2.0.0' },
      changes: [
        {
          verdict: 'breaking',
          impact: 'major',
          rule: 'roles-changed',
          place: 'GET /v1/things',
          message: 'no longer for a | b: 100%',
          policy: false,
          line: 6,
        },
        {
          verdict: 'non-breaking',
          impact: 'minor',
          rule: 'member-added',
          place: 'Thing.size',
          message: 'added',
          policy: false,
          line: 12,
        },
        {
          verdict: 'docs-only',
          impact: 'patch',
          rule: 'description-changed',
          place: 'info',
          message: 'description changed',
          policy: false,
          line: 2,
        },
      ],
    });
  });

  it('is a table that a pull request can show', () => {
    expect(
      render('markdown')
        .split('\n')
        .filter((line) => line.startsWith('|')),
    ).toEqual([
      '| | Where | What | Rule |',
      '|---|---|---|---|',
      '| **against the policy** | `GET /v1/old` | is gone without notice | sunset-policy |',
      '| breaking | `GET /v1/things` | no longer for a \\| b: 100% | roles-changed |',
      '| non-breaking | `Thing.size` | added | member-added |',
      '| docs-only | `info` | description changed | description-changed |',
    ]);
  });

  it('annotates lines of the contract, with errors only for unacceptable changes', () => {
    expect(render('github').split('\n')).toEqual([
      '::error file=openapi.yaml,line=1,title=major%3A sunset-policy::GET /v1/old: is gone without notice',
      '::warning file=openapi.yaml,line=6,title=major%3A roles-changed::GET /v1/things: no longer for a | b: 100%25',
      '::notice file=openapi.yaml,line=12,title=minor%3A member-added::Thing.size: added',
      '::notice file=openapi.yaml,line=2,title=patch%3A description-changed::info: description changed',
      expect.stringMatching(/^::error file=openapi.yaml,title=contract%3A breaking::2 breaking/),
    ]);
    expect(render('github', CHANGES.slice(1), '1.5.0')).toContain('::error file=openapi.yaml,line=6');
  });

  it('states that nothing changed', () => {
    for (const name of ['text', 'markdown', 'github'] as const)
      expect(render(name, [], '1.4.0')).toContain('0 breaking, 0 non-breaking, 0 docs-only');
  });
});
