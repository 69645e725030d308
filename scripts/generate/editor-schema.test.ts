/** Tests of the schema by which editors check the contract. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { EDITOR_SCHEMA } from '../contract/format/index.ts';
import { projectContract } from '../contract/project.ts';
import { editorSchema } from './editor-schema.ts';

const ROOT = join(import.meta.dirname, '../..');
const contract = projectContract();

/** Replaces the parts of OpenAPI's own schema, which is stored elsewhere, by schemas that accept any object. */
const parts = [
  'info',
  'server',
  'tag',
  'security-scheme-or-reference',
  'header-or-reference',
  'response-or-reference',
  'example-or-reference',
  'request-body-or-reference',
  'link-or-reference',
];
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false }).addSchema({
  $id: 'https://spec.openapis.org/oas/3.1/schema/2022-10-07',
  $defs: Object.fromEntries(parts.map((name) => [name, { type: 'object' }])),
});
const check = ajv.compile(JSON.parse(editorSchema(contract)) as object);

/** Returns where the editor reports errors if these members replace those of one operation. */
function marked(members: object): string[] {
  const path = contract.paths['/v1/auth/me'];
  const edited = { ...contract, paths: { ...contract.paths, '/v1/auth/me': { get: { ...path?.get, ...members } } } };
  return check(edited)
    ? []
    : [
        ...new Set(
          (check.errors ?? [])
            .filter(({ keyword }) => keyword !== 'anyOf')
            .map(({ instancePath, params }) => {
              const { additionalProperty = '' } = params as { readonly additionalProperty?: string };
              return `${instancePath.split('/get')[1] ?? ''} ${additionalProperty}`.trim();
            }),
        ),
      ];
}

it('is the schema to which openapi.yaml points', () => {
  expect(readFileSync(join(ROOT, EDITOR_SCHEMA), 'utf8')).toBe(editorSchema(contract));
});

it('accepts the contract, and the short forms that make format writes out', () => {
  expect(check(parse(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'), { maxAliasCount: -1 }))).toBe(true);
  expect(
    marked({
      security: 'read',
      requestBody: 'LoginRequest',
      responses: { 200: 'CurrentUser', 409: ['quota_exceeded'] },
    }),
  ).toEqual([]);
});

it('marks what is misspelt, misplaced or of the wrong form', () => {
  expect(marked({ sumary: 'Who' })).toEqual(['sumary']);
  expect(marked({ 'x-human-only': 'yes' })).toEqual(['/x-human-only']);
  expect(marked({ 'x-pagination': { items: 'things' } })).toEqual(['/x-pagination/items']);
  expect(marked({ tags: ['ouath'] })).toEqual(['/tags/0']);
  expect(marked({ 'x-pii': true })).toEqual(['x-pii']);
  expect(marked({ responses: { 200: 'CurrentUsr' } })).toEqual(['/responses/200']);
  expect(marked({ responses: { 409: ['quota_exceded'] } })).toContain('/responses/409/0');
  expect(marked({ parameters: [{ name: 'q', in: 'query', schema: { type: 'string', 'x-pi': true } }] })).toContain(
    '/parameters/0/schema/x-pi',
  );
});
