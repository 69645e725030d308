/** Tests of the contract that the service enforces at run time. */
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Contract, Schema } from '../contract/contract.ts';
import { fixtureContract } from './fixtures/contract.ts';
import { runtimeContract } from './runtime-contract.ts';

const text = runtimeContract(fixtureContract());
const contract = JSON.parse(text) as Contract;
const schemas = contract.components.schemas ?? {};

function validator(schema: Schema) {
  const ajv = new Ajv2020.default({ strict: false, discriminator: true, validateFormats: false });
  return ajv.compile({ ...schema, components: contract.components });
}

describe('the runtime contract', () => {
  it('carries nothing that a validator does not read', () => {
    expect(text).not.toMatch(/"(description)":"[^"]/);
    expect(text).not.toMatch(/"(example|examples|mapping|summary|tags|x-sdk|x-roles|x-enum-open|x-pii)":/);
  });

  it('keeps members that are called like an annotation', () => {
    const { description: _, ...base } = fixtureContract().components.schemas?.['Document'] ?? {};
    const odd = {
      ...base,
      properties: {
        description: { type: 'string', description: 'Text.' },
        example: { type: 'string' },
        'x-ray': { type: 'string' },
      },
    };
    const source = fixtureContract();
    const changed = {
      ...source,
      components: { ...source.components, schemas: { ...source.components.schemas, Document: odd } },
    };
    const result = JSON.parse(runtimeContract(changed)) as Contract;
    expect(result.components.schemas?.['Document.response']?.properties).toEqual({
      description: { type: 'string' },
      example: { type: 'string' },
      'x-ray': { type: 'string' },
    });
  });

  it('has parameters, bodies and responses inline, so that an operation needs only the schemas it reaches', () => {
    expect(Object.keys(contract.components)).toEqual(['schemas']);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target ?? '');
    expect(new Set(references.map((target) => target.replace(/[^/]+$/, '')))).toEqual(
      new Set(['#/components/schemas/']),
    );
    for (const target of references) expect(Object.keys(schemas)).toContain(target.split('/').at(-1));
    expect(contract.paths['/v1/applications/{applicationId}']?.get?.parameters).toMatchObject([
      { name: 'applicationId', in: 'path' },
    ]);
  });

  it('closes responses and leaves requests as they were written', () => {
    expect(schemas['Document.response']?.unevaluatedProperties).toBe(false);
    expect(schemas['ApplicationCreate']?.unevaluatedProperties).toBeUndefined();
    expect(schemas['TokenRequest']?.unevaluatedProperties).toBeUndefined();
  });

  it('closes a composed response as a whole and not its parts', () => {
    const valid = validator({ $ref: '#/components/schemas/Application.response' });
    const application = {
      id: '0',
      externalId: null,
      status: 'draft',
      applicant: { kind: 'individual', fullName: 'Ana' },
      createdAt: '2026-11-03T12:00:00Z',
    };
    expect(valid(application)).toBe(true);
    expect(valid({ ...application, passwordHash: 'x' })).toBe(false);
    expect(valid({ ...application, applicant: { kind: 'individual', fullName: 'Ana', passwordHash: 'x' } })).toBe(
      false,
    );
  });

  it('keeps the tag of a union without its mapping, which the validator refuses', () => {
    expect(schemas['Applicant']?.discriminator).toEqual({ propertyName: 'kind' });
    const valid = validator({ $ref: '#/components/schemas/Applicant' });
    expect(valid({ kind: 'organization', legalName: 'Banco' })).toBe(true);
    expect(valid({ kind: 'organization', fullName: 'Ana' })).toBe(false);
  });
});
