/** Tests of which schemas get a name in Python. */
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../contract/contract.ts';
import { namedSchemas } from './named-schemas.ts';
import { memberType } from './types.ts';

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const schemas: Readonly<Record<string, Schema>> = {
  Name: {
    type: 'string',
    maxLength: 5,
    pattern: '^a',
    'x-pii': true,
    description: 'A name.',
  },
  Status: { type: 'string', enum: ['open', 'done'] },
  Codes: { type: 'array', items: ref('Name') },
  Owner: { type: 'object', properties: { name: ref('Name') } },
  Thing: {
    type: 'object',
    required: ['name'],
    properties: {
      name: ref('Name'),
      nick: { oneOf: [ref('Name'), { type: 'null' }] },
      owner: { oneOf: [ref('Owner'), { type: 'null' }] },
      status: ref('Status'),
      kind: { type: 'string', enum: ['a', 'b'], description: 'Its kind.' },
      codes: ref('Codes'),
      extra: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
    },
  },
};
const named = namedSchemas(schemas);
const thing = named.get('Thing')?.properties ?? {};

describe('the schemas as Python sees them', () => {
  it('have names when they are objects or enumerations', () => {
    expect([...named.keys()]).toEqual(['Status', 'Owner', 'Thing', 'ThingKind']);
    expect(thing['status']).toEqual(ref('Status'));
  });

  it('write scalars and arrays out where they are used', () => {
    expect(thing['name']).toEqual(schemas['Name']);
    expect(thing['codes']).toMatchObject({ type: 'array', items: { type: 'string' } });
  });

  it('keep what may be null', () => {
    expect(thing['nick']).toMatchObject({ type: ['string', 'null'], 'x-pii': true });
    expect(thing['owner']).toEqual({ oneOf: [ref('Owner'), { type: 'null' }] });
  });

  it('lift an enumeration out of its object, under a name of its own', () => {
    expect(thing['kind']).toEqual({ ...ref('ThingKind'), description: 'Its kind.' });
    expect(named.get('ThingKind')?.enum).toEqual(['a', 'b']);
    expect(() => namedSchemas({ ...schemas, ThingKind: { type: 'object', properties: {} } })).toThrow('ThingKind');
  });
});

describe('the type of a member', () => {
  const typeOf = (name: string): string => memberType(thing[name] ?? {});

  it('has no limits', () => {
    expect(typeOf('name')).toBe('str');
  });

  it('keeps whole numbers whole in a union', () => {
    expect(typeOf('extra')).toBe('dict[str, str | int | float]');
  });
});
