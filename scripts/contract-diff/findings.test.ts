/** Tests of where `make diff` reports a finding: on the line that was edited. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diffCommand } from './command.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const BASE = `openapi: 3.1.1
info: { title: Things, version: 1.0.0 }
paths:
  /v1/things:
    get:
      operationId: listThings
      summary: List
      x-roles: [owner, viewer]
      responses:
        '200':
          description: Things.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } } }
    post:
      operationId: createThing
      summary: Create
      x-roles: [owner]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                size: { $ref: '#/components/schemas/Size' }
                note:
                  type: string
                  maxLength: 10
      responses:
        '201':
          description: The thing.
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
components:
  schemas:
    Thing:
      type: object
      required: [id, color]
      properties:
        id: { type: string }
        color:
          type: string
        size: { $ref: '#/components/schemas/Size' }
    Size:
      type: integer
      description: How large it is.
      minimum: 1
      maximum: 100
`;
const READERS = ['GET /v1/things', 'POST /v1/things'];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'findings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Finding {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
  readonly line: number;
  readonly operations?: readonly string[];
}

/** Runs the command of `make diff` in this process; diff.test.ts runs it as a separate process. */
async function diff(before: string, after: string, ...options: string[]) {
  const [base, revision] = [join(folder, 'base.yaml'), join(folder, 'revision.yaml')];
  writeFileSync(base, before);
  writeFileSync(revision, after);
  let [stdout, stderr] = ['', ''];
  const status = await diffCommand(ROOT, [base, '--revision', revision, ...options], {
    out: (line) => {
      stdout += `${line}\n`;
    },
    error: (line) => {
      stderr += `${line}\n`;
    },
  });
  return { status, stdout, stderr };
}

/** Returns the findings after replacing these texts, with the text at the line of each finding. */
async function findings(
  ...edits: readonly (readonly [from: string, to: string])[]
): Promise<(Finding & { readonly text: string | undefined })[]> {
  const after = edits.reduce((text, [from, to]) => text.replace(from, to), BASE);
  const { stdout, stderr } = await diff(BASE, after, '--format', 'json');
  if (stderr !== '') throw new Error(stderr);
  return (JSON.parse(stdout) as { changes: Finding[] }).changes.map((finding) => ({
    ...finding,
    text: after.split('\n')[finding.line - 1]?.trim(),
  }));
}

describe('a finding of make diff', () => {
  it('about a component is reported once, on the edited line, with every operation that it reaches', async () => {
    expect(await findings(['maximum: 100', 'maximum: 50'])).toMatchObject([
      { place: 'Size', text: 'maximum: 50', operations: READERS },
    ]);
  });

  it('about a removed member is reported once, where the member was', async () => {
    expect(await findings(['[id, color]', '[id]'], ['        color:\n          type: string\n', ''])).toEqual([
      expect.objectContaining({
        rule: 'property-removed',
        place: 'Thing.color',
        text: 'id: { type: string }',
        operations: READERS,
      }),
    ]);
  });

  it('about an added member says member and not schema, and whether it is required', async () => {
    const member = [
      '        id: { type: string }',
      '        id: { type: string }\n        branch: { type: string }',
    ] as const;
    expect(await findings(member)).toMatchObject([
      {
        rule: 'member-added',
        place: 'Thing.branch',
        message: 'member `branch` was added',
        text: 'branch: { type: string }',
      },
    ]);
    expect(await findings(member, ['[id, color]', '[id, color, branch]'])).toMatchObject([
      { message: 'member `branch` was added, and is required', text: 'branch: { type: string }' },
    ]);
  });

  it('about an operation is on the edited line of the operation, whichever rule reports it', async () => {
    const found = await findings(
      ['x-roles: [owner, viewer]', 'x-roles: [owner]'],
      ['summary: List', 'summary: List things'],
      ['maxLength: 10', 'maxLength: 5'],
    );
    expect(found.map(({ place, text }) => [place, text])).toEqual(
      expect.arrayContaining([
        ['GET /v1/things', 'x-roles: [owner]'],
        ['GET /v1/things', 'summary: List things'],
        ['POST /v1/things', 'maxLength: 5'],
      ]),
    );
    expect(found).toHaveLength(3);
  });

  it('is annotated on a line of the hunk, and names the operations in a terminal and in a pull request', async () => {
    const after = BASE.replace('maximum: 100', 'maximum: 50');
    const line = after.split('\n').findIndex((text) => text.includes('maximum: 50')) + 1;
    expect((await diff(BASE, after, '--format', 'github')).stdout).toMatch(
      new RegExp(`line=${line},.*::Size: .*; reaches GET /v1/things, POST /v1/things`),
    );
    for (const format of ['text', 'markdown'])
      expect((await diff(BASE, after, '--format', format)).stdout).toContain(
        '; reaches GET /v1/things, POST /v1/things',
      );
  });
});

/** Returns verdict, place and message of each change. */
async function changes(before: string, after: string): Promise<string[][]> {
  const { stdout, stderr } = await diff(before, after, '--format', 'json');
  if (stderr !== '') throw new Error(stderr);
  return (JSON.parse(stdout) as { changes: (Finding & { verdict: string })[] }).changes.map(
    ({ verdict, place, message }) => [verdict, place, message],
  );
}

describe('a contract in another dialect', () => {
  const BARE =
    'openapi: 3.1.1\n' +
    'info: { title: Bare, version: 1.0.0 }\n' +
    'paths:\n' +
    '  /ping:\n' +
    '    get:\n' +
    '      responses:\n' +
    "        '200': { description: Fine. }\n";

  it('is compared even if it has no components', async () => {
    const { status, stdout, stderr } = await diff(
      BARE,
      BARE.replace('/ping:', "/ping:\n    delete: { responses: { '204': { description: Gone. } } }"),
    );
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toContain('1 non-breaking');
    expect((await diff(BARE, `${BARE}components:\n`)).stderr).toBe('');
  });

  it('is read as OpenAPI 3.0 says null, as booleans are schemas, and through references of paths', async () => {
    const answers = (schema: string) =>
      `{ get: { responses: { '200': { description: Fine., content: { application/json: { schema: ${schema} } } } } } }`;
    const old =
      'openapi: 3.0.3\n' +
      'info: { title: Old, version: 1.0.0 }\n' +
      'paths:\n' +
      `  /a: ${answers('{ type: string, nullable: true }')}\n` +
      '  /none:\n';
    expect(await changes(old.replace(', nullable: true', ''), old)).toContainEqual([
      'breaking',
      'GET /a, 200',
      'can be null',
    ]);
    const recent =
      'openapi: 3.1.0\n' +
      'info: { title: New, version: 1.0.0 }\n' +
      'paths:\n' +
      `  /a: ${answers('{ type: object, properties: { any: true, none: false } }')}\n` +
      "  /b: { $ref: '#/components/pathItems/B' }\n" +
      "components: { pathItems: { B: { post: { x-roles: [a, b], responses: { '204': { " +
      'description: Done. } } } } } }\n';
    expect(await changes(recent, recent)).toEqual([]);
    expect(await changes(recent, recent.replace('[a, b]', '[a]'))).toContainEqual([
      'breaking',
      'POST /b',
      'no longer for b',
    ]);
  });

  it('may have only webhooks', async () => {
    const hooks =
      'openapi: 3.1.0\n' +
      'info: { title: Hooks, version: 1.0.0 }\n' +
      "webhooks: { thing: { post: { responses: { '200': { description: Fine. } } } } }\n";
    expect(await diff(hooks, hooks)).toMatchObject({ status: 0, stderr: '' });
  });

  it.each(['2024-05', '1.0', '"1.10"', 'v2', '1.0.0-beta.1'])(
    'is compared though its version is %s, and told that no version is judged',
    async (version) => {
      const after = BARE.replace('/ping:', '/pong:').replace('1.0.0', version);
      const { status, stdout, stderr } = await diff(BARE.replace('1.0.0', version), after);
      expect(stdout).toContain(`GET /ping: is gone`);
      expect(stdout).toContain(`Version ${version.replaceAll('"', '')} → `);
      expect([status, stderr.trim()]).toEqual([
        2,
        `info.version ${version.replaceAll('"', '')} is not of the form 1.2.3, so it is not judged whether the ` +
          'version fits the changes',
      ]);
      expect(await diff(BARE, after, '--bump')).toMatchObject({ status: 2, stdout: '' });
    },
  );

  it.each([
    [BARE.replace('3.1.1', '3.2.0'), '`openapi` is 3.2.0, and only documents of OpenAPI 3.0 and 3.1 are read'],
    [BARE.replace('openapi: 3.1.1', "swagger: '2.0'"), '`openapi` is 2.0'],
    [
      BARE.replace('get:', 'parameters: none\n    get:'),
      ':5:17 not a valid OpenAPI document: Expected type `ParameterList`',
    ],
    [
      BARE.replace('{ description: Fine. }', '{ $ref: answers.yaml }'),
      'answers.yaml leads to another file, but the contract is one file',
    ],
    ['openapi: 3.1.1\npaths: {}\n', 'it has no info'],
    ['openapi: 3.1.1\ninfo: { title: A, version: 1.0.0 }\n', 'it has no paths'],
    ['just text\n', 'it has no info'],
    ['', 'it has no info'],
    [BARE.replace('1.0.0', '2024-05'), 'info.version 2024-05 is not of the form 1.2.3'],
    [BARE.replace('1.0.0', '1.0'), 'is not of the form 1.2.3'],
  ])('is refused in a sentence if it cannot be: %j', async (after, sentence) => {
    const { status, stderr } = await diff(BARE, after);
    expect([status, stderr.trim().split('\n')]).toEqual([2, [expect.stringContaining(sentence)]]);
  });
});
