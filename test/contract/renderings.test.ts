/** Tests that the published forms of the contract accept and refuse the same as the contract. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { METHODS } from '../../scripts/contract/contract.ts';
import type { Contract, Operation } from '../../scripts/contract/contract.ts';
import { publishedDocuments } from '../../scripts/generate/documents.ts';
import { projectContract } from '../../scripts/contract/project.ts';
import { redocly } from '../../scripts/generate/tools.ts';
import { mediaSites, schemaSites } from '../../scripts/contract/walk.ts';
import type { Pointer } from '../../scripts/contract/walk.ts';
import { instances } from './instances.ts';

const SEED = 20_261_122;
const VALUES = process.env['SOAK'] === 'true' ? 2000 : 30;

const contract = projectContract();
const documents = publishedDocuments(contract);
const rendered = {
  '3.0': JSON.parse(documents['openapi-3.0.json']!) as object,
  '3.1': JSON.parse(documents['openapi.json']!) as object,
};
/**
 * Named schemas, and inline schemas of parameters, headers, bodies and responses, each with the same test values for
 * both documents.
 */
const sites = schemaSites(contract)
  .filter(
    ({ schema, pointer }) =>
      schema.$ref === undefined && (pointer.at(-1) === 'schema' || (pointer.length === 3 && pointer[1] === 'schemas')),
  )
  .map(({ schema, pointer }) => ({
    pointer,
    values: fc.sample(instances(contract, schema), { seed: SEED, numRuns: VALUES }),
  }));

type Judge = (pointer: Pointer) => (value: unknown) => boolean;

/** Compiles the schema at a place of a document; the named schemas are compiled once. */
function judge(ajv: Ajv | Ajv2020, document: object): Judge {
  addFormats.default(ajv);
  const { components, ...rest } = JSON.parse(
    JSON.stringify(document).replaceAll('"#/components/schemas/', '"'),
  ) as Contract;
  for (const [name, schema] of Object.entries(components.schemas!)) ajv.addSchema(schema, name);
  return (pointer) =>
    ajv.compile(
      pointer.reduce<object>((node, part) => (node as Record<string, object>)[part]!, { components, ...rest }),
    );
}

/**
 * Returns a 3.0 schema as its readers interpret it: `nullable` beside `allOf` allows null, and the extension of this
 * project constrains the names of members.
 */
function read30(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(read30);
  if (typeof node !== 'object' || node === null) return node;
  const { 'x-property-names': propertyNames, ...own } = Object.fromEntries(
    Object.entries(node).map(([key, child]) => [key, read30(child)]),
  );
  const whole = propertyNames === undefined ? own : { ...own, propertyNames };
  if (!('allOf' in whole) || whole['nullable'] !== true) return whole;
  const { nullable: _, ...present } = whole;
  return { anyOf: [present, { enum: [null] }] };
}

const LAX = { strict: false, logger: false } as const;
/** Both documents state patterns with properties of Unicode only in the description. */
const asksForProperties = (key: string, value: unknown): boolean =>
  key === 'pattern' && typeof value === 'string' && /\\[pP]\{/.test(value);
const original = judge(
  new Ajv2020(LAX),
  JSON.parse(JSON.stringify(contract), (key, value: unknown) =>
    asksForProperties(key, value) ? undefined : value,
  ) as Contract,
);
const judges: Readonly<Record<keyof typeof rendered, Judge>> = {
  '3.0': judge(new Ajv(LAX), read30(rendered['3.0']) as object),
  '3.1': judge(new Ajv2020(LAX), rendered['3.1']),
};

/** The test values with what the contract says of them. */
const judged = sites.map(({ pointer, values }) => ({ pointer, values, verdicts: values.map(original(pointer)) }));

describe.each(['3.0', '3.1'] as const)('the published document in OpenAPI %s', (version) => {
  it('accepts and refuses the same as the contract, in every schema', () => {
    const counts = { accepted: 0, refused: 0 };
    const differing: string[] = [];
    for (const { pointer, values, verdicts } of judged) {
      const ours = judges[version](pointer);
      for (const [index, value] of values.entries()) {
        const verdict = verdicts[index] as boolean;
        counts[verdict ? 'accepted' : 'refused'] += 1;
        if (ours(value) !== verdict) differing.push(`${pointer.join(' ')}: ${JSON.stringify(value)}`);
      }
    }
    expect(differing).toEqual([]);
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(sites.length * 5);
  }, 120_000);

  it('has no regular expression that some languages cannot read', () => {
    const found: unknown[] = [];
    JSON.stringify(rendered[version], (key, value: unknown) => {
      if (asksForProperties(key, value)) found.push(value);
      return value;
    });
    expect(found).toEqual([]);
  });

  it('accepts every example of the contract', () => {
    const refused = mediaSites(contract).flatMap(({ media, pointer }) =>
      Object.values(media.examples ?? {}).flatMap((example) => {
        const { value } = '$ref' in example ? contract.components.examples![example.$ref.split('/').at(-1)!]! : example;
        return media.schema === undefined || judges[version]([...pointer, 'schema'])(value) ? [] : [pointer.join(' ')];
      }),
    );
    expect(refused).toEqual([]);
  });

  it('has the same operations with the same answers, parameters and credentials', () => {
    expect(outline(rendered[version] as Contract)).toEqual(outline(contract));
  });

  it('gives every constant of an enumeration a name that no other has', () => {
    const names = Object.values(
      (rendered[version] as { components: { schemas: Record<string, { 'x-enum-varnames'?: string[] }> } }).components
        .schemas,
    ).flatMap((schema) => schema['x-enum-varnames'] ?? []);
    expect(names.length).toBeGreaterThan(200);
    expect(names.filter((name, index) => names.indexOf(name) !== index || !/^[A-Z][A-Z0-9_]*$/.test(name))).toEqual([]);
  });
});

describe('the document in OpenAPI 3.0', () => {
  const operations = Object.values((rendered['3.0'] as Contract).paths).flatMap((item) =>
    METHODS.flatMap((method) => item[method] ?? []),
  );

  it('names scopes with OAuth alone', () => {
    const named = operations
      .flatMap(({ security }) => security.flatMap((requirement) => Object.entries(requirement)))
      .filter(([, scopes]) => scopes.length > 0);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(([scheme]) => scheme !== 'oauth2')).toEqual([]);
  });

  it('describes every scope in words', () => {
    const silent = operations.filter(({ operationId, description }) =>
      scopesOf(operationId).some((scope) => !description.includes(`\`${scope}\``)),
    );
    expect(silent).toEqual([]);
  });
});

describe('the published documents', () => {
  it('are valid in their versions of OpenAPI', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'renderings-'));
    try {
      for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text);
      const { code, stdout, stderr } = await redocly(['lint', ...Object.keys(documents), '--extends', 'spec'], folder);
      expect(`${stdout}${stderr}`).not.toContain('error');
      expect(code).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function scopesOf(operationId: string): readonly string[] {
  const operation = Object.values(contract.paths)
    .flatMap((item) => METHODS.flatMap((method) => item[method] ?? []))
    .find((each) => each.operationId === operationId)!;
  return operation.security.flatMap((requirement) => Object.values(requirement).flat());
}

/** Returns an operation without its schemas and its prose. */
function outline({ paths }: Contract): unknown {
  return Object.entries(paths).map(([path, item]) => [
    path,
    item.parameters,
    METHODS.flatMap((method) => {
      const operation: Operation | undefined = item[method];
      if (operation === undefined) return [];
      const { operationId, tags, deprecated, parameters, requestBody, responses, security } = operation;
      return [
        [
          method,
          operationId,
          tags,
          deprecated,
          parameters?.map(shape),
          shape(requestBody),
          Object.entries(responses).map(([status, response]) => [status, shape(response)]),
          security.map((requirement) => Object.keys(requirement)),
        ],
      ];
    }),
  ]);
}

/** Returns a reference, or the members of a node that matter to callers, without schemas and extensions. */
function shape(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(shape);
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== 'schema' && !key.startsWith('x-'))
      .map(([key, child]) => [key, shape(child)]),
  );
}
