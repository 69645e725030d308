import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Schema } from '../../contract/contract.ts';
import { writeModels } from './models.ts';
import { paramsModule } from './modules.ts';
import { namedSchemas } from './named-schemas.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'unions-'));
afterAll(() => { rmSync(folder, { recursive: true }); });

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const variant = (tag: string, member: string): Schema =>
  ({ type: 'object', required: ['shapeKind', member], properties: { shapeKind: { type: 'string', const: tag }, [member]: { type: 'integer' } } });
const schemas: Readonly<Record<string, Schema>> = {
  Colour: { type: 'string', enum: ['red'] },
  Circle: variant('circle', 'outerRadius'),
  Square: variant('square', 'sideLength'),
  Shape: {
    description: 'A "shape".', oneOf: [ref('Circle'), ref('Square')],
    discriminator: { propertyName: 'shapeKind', mapping: { circle: ref('Circle').$ref ?? '', square: ref('Square').$ref ?? '' } },
  },
  Drawing: { type: 'object', required: ['shapes'], properties: { colour: ref('Colour'), last: { oneOf: [ref('Shape'), { type: 'null' }] }, shapes: { type: 'array', items: ref('Shape') } } },
};
const named = namedSchemas(schemas);

const PROGRAM = `
import json
from compliance_onboarding._union import UnknownVariant
from compliance_onboarding._wire import json_members
from models import Circle, Drawing, Square

data = {"last": None, "shapes": [{"shapeKind": "circle", "outerRadius": 1, "later": [1]}, {"shapeKind": "star", "points": {"a": 5}}, {"tagless": True}]}
for read in (Drawing.model_validate(data), Drawing.model_validate_json(json.dumps(data))):
    assert [type(shape) for shape in read.shapes] == [Circle, UnknownVariant, UnknownVariant], read
    assert read.to_dict() == data, read.to_dict()
    assert json.loads(read.to_json()) == data
made = Drawing(shapes=[Square(side_length=2), read.shapes[1]])
assert made.to_dict() == {"shapes": [{"sideLength": 2, "shapeKind": "square"}, {"shapeKind": "star", "points": {"a": 5}}]}, made.to_dict()
given = {"shapes": [{"shape_kind": "square", "side_length": 2}, {"shapeKind": "star", "points": 5}]}
assert json_members(Drawing, given) == {"shapes": [{"shapeKind": "square", "sideLength": 2}, {"shapeKind": "star", "points": 5}]}, json_members(Drawing, given)
`;

describe('a union of objects in Python', () => {
  it('keeps variants that a later server adds, and sends its tags', async () => {
    await writeModels(join(folder, 'models.py'), named, new Set(named.keys()), ROOT, folder);
    execFileSync(join(ROOT, '.venv/bin/python'), ['-W', 'error', '-c', PROGRAM], { env: { PYTHONPATH: `${folder}:${join(ROOT, 'sdks/python/src')}` }, stdio: 'pipe' });
    expect(readFileSync(join(folder, 'models.py'), 'utf8')).not.toContain('class Shape(');
  });

  it('is given as the dictionary of any variant', () => {
    const source = paramsModule(new Set(named.keys()), { named, models: new Set(named.keys()), params: '' });
    expect(source).toContain('Shape: TypeAlias = "Circle | Square"\n');
  });
});
