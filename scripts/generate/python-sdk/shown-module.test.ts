import { describe, expect, it } from 'vitest';
import type { ApiModel } from '../model.ts';
import type { Schema } from '../schema.ts';
import { shownModule } from './shown-module.ts';

const shown = (schemas: Readonly<Record<string, Schema>>) => shownModule({ schemas } as unknown as ApiModel);
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: 'object', properties });

describe('the members whose values may be logged', () => {
  it('are enumerations, flags, and what holds members of its own', () => {
    const source = shown({
      State: { type: 'string', enum: ['on'] },
      Thing: object({ name: { type: 'string' }, state: { $ref: '#/components/schemas/State' }, old: { type: ['boolean', 'null'] }, part: { oneOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] }, map: { type: 'object', additionalProperties: true } }),
      Part: object({ size: { type: 'integer' } }),
    });
    expect(source).toContain('frozenset({"old", "part", "state"})');
  });

  it('are never personal, and never of a name that is harmful elsewhere', () => {
    const source = shown({
      Thing: object({ pep: { 'type': 'boolean', 'x-pii': true }, code: { type: 'string', enum: ['a'] } }),
      Other: object({ code: { type: 'string' } }),
    });
    expect(source).toContain('frozenset({})');
  });
});
