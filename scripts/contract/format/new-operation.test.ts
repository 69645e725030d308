/** Tests of how few lines a new operation costs, and that everything else is made of them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workspace } from '../../generate/fixtures/workspace.ts';
import { generate } from '../../generate/pipeline.ts';
import type { Contract } from '../contract.ts';
import { formatContract } from './index.ts';

const CONTRACT = readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8');

/**
 * What a designer writes for an ordinary operation: the operation, its schemas, their examples and a new problem code.
 */
const PATH = `
  /v1/applications/{applicationId}/notes:
    post:
      operationId: createNote
      summary: Write a note
      description: A note about the application, for colleagues. It cannot be changed.
      tags: [applications]
      security: write
      x-sdk: { resource: applications.notes, method: create }
      x-roles: [compliance_officer, analyst, owner]
      x-idempotent: true
      x-audit-events: [note.created]
      requestBody: NoteCreate
      responses:
        '201': Note
        '409': [note_limit]
`;
const LIST = `
    get:
      operationId: listNotes
      summary: List notes
      description: The notes about the application, newest first.
      tags: [applications]
      security: read
      x-sdk: { resource: applications.notes, method: list }
      x-roles: [owner, admin, compliance_officer, analyst, auditor]
      x-pagination: { items: items }
      responses:
        '200': Note
`;
const SCHEMAS = `
    Note:
      type: object
      description: A note about an application.
      required: [id, text, createdAt, createdBy]
      properties:
        id: { $ref: '#/components/schemas/Id' }
        text: { type: string, maxLength: 2000, description: What was written. }
        createdAt: { $ref: '#/components/schemas/Timestamp' }
        createdBy: { $ref: '#/components/schemas/Actor' }
    NoteCreate:
      type: object
      description: The note.
      additionalProperties: false
      required: [text]
      properties:
        text: { type: string, minLength: 1, maxLength: 90, format: multi-line, pattern: *multi-line, description: It. }
`;
const CODE = `
        note_limit: { status: 409, title: The application has as many notes as it may, description: Withdraw one. }
`;
const ACTION = `
        note.created: [note]
`;
const EXAMPLES = `
    Note:
      summary: A note
      value:
        id: 0197f2d3-10aa-7b55-9e21-0a1b2c3d4e5f
        text: Called the applicant.
        createdAt: '2026-11-03T12:00:00.000Z'
        createdBy: { type: user, id: 0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01, display: Ana Souza }
    NoteCreate: { summary: A note, value: { text: Called the applicant. } }
`;

function withNotes(path = PATH, list = ''): string {
  return CONTRACT.replace('\ncomponents:\n', () => `${path}${list.slice(1)}\ncomponents:\n`)
    .replace(/\n {4}# ── problems ──/, (heading) => `${SCHEMAS}${heading}`)
    .replace(/\n {6}x-problems:\n/, (member) => `${member.trimEnd()}${CODE}`)
    .replace(/\n {6}x-audit-actions:\n/, (member) => `${member.trimEnd()}${ACTION}`)
    .trimEnd()
    .concat(EXAMPLES);
}

function formatted(text: string): string {
  const outcome = formatContract(text);
  if ('message' in outcome) throw new Error(`${outcome.line}:${outcome.column} ${outcome.message}`);
  return outcome.text;
}

const linesOf = (text: string): number => text.trim().split('\n').length;

describe('an ordinary operation', () => {
  it('costs at most 40 hand-written lines, with its schemas, examples and problem code', () => {
    expect(linesOf(PATH) + linesOf(SCHEMAS) + linesOf(EXAMPLES) + linesOf(CODE)).toBeLessThanOrEqual(40);
  });

  it('costs one line more for each new action of the audit log', () => {
    expect(linesOf(ACTION)).toBe(1);
  });

  it('is completed so that nothing is left to add, and the rest of the contract does not change', () => {
    const text = formatted(withNotes(PATH, LIST));
    expect(formatted(text)).toBe(text);
    const { paths, components } = parse(text) as Contract;
    const { post, get, parameters } = paths['/v1/applications/{applicationId}/notes'] ?? {};
    expect(parameters).toEqual([{ $ref: '#/components/parameters/ApplicationId' }]);
    expect(Object.keys(post?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '406',
      '409',
      '413',
      '415',
      '422',
      '429',
      '503',
    ]);
    expect(post?.security).toEqual([{ bearerAuth: ['write'] }, { apiKey: ['write'] }, { oauth2: ['write'] }]);
    expect(post?.responses['409']).toMatchObject({
      description:
        'The application has as many notes as it may, or the first call with this idempotency key still runs.',
      content: {
        'application/problem+json': {
          examples: { noteLimit: { $ref: '#/components/examples/NoteLimit' }, idempotencyInProgress: {} },
        },
      },
    });
    expect(components.examples?.['NoteLimit']?.value).toMatchObject({
      code: 'note_limit',
      status: 409,
      type: '/problems/note_limit',
    });
    expect(components.schemas?.['ProblemCode']?.enum).toContain('note_limit');
    expect(get?.parameters).toEqual([
      { $ref: '#/components/parameters/Limit' },
      { $ref: '#/components/parameters/Cursor' },
    ]);
    expect(components.schemas?.['NoteList']).toMatchObject({
      required: ['items', 'cursor', 'hasMore'],
      properties: { items: { items: { $ref: '#/components/schemas/Note' } } },
    });
    expect(get?.responses['200']).toMatchObject({
      content: {
        'application/json': {
          examples: { onePage: { value: { items: [{ createdAt: '2026-11-03T12:00:00.000Z' }], hasMore: false } } },
        },
      },
    });
    const kept = text.split('\n');
    const [, belowTheMap = ''] = CONTRACT.split('end of the map');
    expect(
      belowTheMap
        .split('\n')
        .slice(1)
        .filter((line) => !kept.includes(line)),
    ).toEqual([]);
  });

  it('gives the same result if its responses are written on one line', () => {
    expect(
      formatted(withNotes(PATH.replace(/responses:[^]*/, `responses: { '201': Note, '409': [note_limit] }\n`))),
    ).toBe(formatted(withNotes()));
  });

  it('passes every rule of the linter and gets its types and its method in both SDKs', {
    timeout: 240_000,
  }, async () => {
    using place = workspace();
    writeFileSync(place.contractFile, formatted(withNotes(PATH, LIST)));
    const { findings, missing } = await generate(place.root, ['lint', 'server', 'typescript', 'python'], 'write');
    expect([findings, missing]).toEqual([[], []]);
    expect(readFileSync(join(place.root, 'server/contract/generated/operations.ts'), 'utf8')).toContain('createNote');
    for (const map of ['typescript', 'python/src/compliance_onboarding'])
      expect(readFileSync(join(place.root, `sdks/${map}/api.md`), 'utf8'), map).toContain('Write a note');
  });
});

describe('one message reports', () => {
  it.each([
    [
      'an operation that is not formatted yet',
      PATH,
      'not formatted from here on (something that follows from what is written is missing): run make format',
    ],
    [
      'a member that stands too deep',
      PATH.replace('requestBody: NoteCreate', 'requestBody:\n        x-idempotent: true\n        content: {}').replace(
        'x-idempotent: true\n      x-audit',
        'x-audit',
      ),
      '`x-idempotent` stands in a request body and belongs to the operation',
    ],
    [
      'a member that stands too high',
      PATH.replace('    post:\n', '    x-roles: [owner]\n    post:\n'),
      '`x-roles` stands in a path and belongs to the operation',
    ],
    ['a misspelt member', PATH.replace('summary:', 'sumary:'), 'an operation has no `sumary`; did you mean `summary`?'],
    [
      'an unknown schema',
      PATH.replace(': NoteCreate', ': NoteCraete'),
      'there is no schema `NoteCraete`; did you mean `NoteCreate`?',
    ],
    [
      'an unknown scope',
      PATH.replace('security: write', 'security: rite'),
      'there is no scope `rite`; did you mean `write`?',
    ],
    [
      'an unknown code',
      PATH.replace('[note_limit]', '[notes_limit]'),
      'there is no problem `notes_limit`; did you mean `note_limit`?',
    ],
    [
      'a code of another status',
      PATH.replace('[note_limit]', '[validation_failed]'),
      '`validation_failed` is a 422 and stands under 409',
    ],
  ])('%s', async (_, path, message) => {
    using place = workspace();
    writeFileSync(place.contractFile, withNotes(path));
    const { findings, changes } = await generate(place.root, ['lint', 'server'], 'write');
    expect(findings).toEqual([
      {
        rule: 'format',
        severity: 'error',
        isIncomplete: true,
        place: expect.stringMatching(/^openapi\.yaml:\d+:\d+$/) as string,
        message,
      },
    ]);
    expect(changes).toEqual([]);
  });

  it('members in another order, with the line of the first one', async () => {
    using place = workspace();
    const text = formatted(withNotes()).replace(
      /( {6}operationId: createNote\n)((?: {6}.*\n)+?)( {6}responses:\n)/,
      '$2$1$3',
    );
    writeFileSync(place.contractFile, text);
    const { findings } = await generate(place.root, ['lint'], 'check');
    const line = text.split('\n').indexOf('      summary: Write a note') + 1;
    expect(findings.map(({ place: where, message }) => `${where} ${message}`)).toEqual([
      `openapi.yaml:${line}:1 not formatted from here on (members, sections or lines are arranged ` +
        'otherwise): run make format',
    ]);
  });
});
