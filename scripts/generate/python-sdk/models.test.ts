/** Tests of the models that are generated for the Python SDK. */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../contract/contract.ts';
import { modelsModule } from './models.ts';
import { paramsModule } from './modules.ts';
import { namedSchemas } from './named-schemas.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const variant = (tag: string, member: string): Schema => ({
  type: 'object',
  required: ['shapeKind', member],
  properties: { shapeKind: { type: 'string', const: tag }, [member]: { type: 'integer' } },
});
const schemas: Readonly<Record<string, Schema>> = {
  Colour: { type: 'string', enum: ['red'] },
  Circle: variant('circle', 'outerRadius'),
  Square: variant('square', 'sideLength'),
  Shape: {
    description: 'A "shape".',
    oneOf: [ref('Circle'), ref('Square')],
    discriminator: {
      propertyName: 'shapeKind',
      mapping: { circle: ref('Circle').$ref ?? '', square: ref('Square').$ref ?? '' },
    },
  },
  Drawing: {
    type: 'object',
    required: ['shapes'],
    properties: {
      colour: ref('Colour'),
      last: { oneOf: [ref('Shape'), { type: 'null' }] },
      shapes: { type: 'array', items: ref('Shape') },
    },
  },
};
const named = namedSchemas(schemas);

/** Runs a program of assertions after a module of models, with every warning as an error, and expects it to succeed. */
function run(program: string, given: Readonly<Record<string, Schema>>): void {
  const all = namedSchemas(given);
  const source = modelsModule('things', 'Things.', new Map([...all.keys()].map((name) => [name, 'things'])), all);
  const { status, stderr } = spawnSync(join(ROOT, '.venv/bin/python'), ['-W', 'error', '-c', `${source}\n${program}`], {
    env: { PYTHONPATH: join(ROOT, 'sdks/python/src') },
    encoding: 'utf8',
  });
  expect(program).toMatch(/^ *assert /m);
  expect([status, stderr]).toEqual([0, '']);
}

const UNION = `
import json
from compliance_onboarding._union import UnknownVariant
from compliance_onboarding._wire import json_members

data = {
    "last": None,
    "shapes": [
        {"shapeKind": "circle", "outerRadius": 1, "later": [1]},
        {"shapeKind": "star", "points": {"a": 5}},
        {"tagless": True},
    ],
}
for read in (Drawing.model_validate(data), Drawing.model_validate_json(json.dumps(data))):
    assert [type(shape) for shape in read.shapes] == [Circle, UnknownVariant, UnknownVariant], read
    assert read.to_dict() == data, read.to_dict()
    assert json.loads(read.to_json()) == data
made = Drawing(shapes=[Square(side_length=2), read.shapes[1]])
wanted = {"shapes": [{"sideLength": 2, "shapeKind": "square"}, {"shapeKind": "star", "points": {"a": 5}}]}
assert made.to_dict() == wanted, made.to_dict()
given = {"shapes": [{"shape_kind": "square", "side_length": 2}, {"shapeKind": "star", "points": 5}]}
wanted = {"shapes": [{"shapeKind": "square", "sideLength": 2}, {"shapeKind": "star", "points": 5}]}
assert json_members(Drawing, given) == wanted, json_members(Drawing, given)
`;

describe('a union of objects in Python', () => {
  it('keeps variants that a later server adds, and sends its tags', () => {
    run(UNION, schemas);
  });

  it('is given as the dictionary of any variant', () => {
    const homes = new Map([...named.keys()].map((name) => [name, 'things']));
    const source = paramsModule('things', 'Things.', homes, { named, models: new Set(named.keys()), params: '' });
    expect(source).toContain('Shape: TypeAlias = "Circle | Square"\n');
    expect(source).toContain('shape_kind: Required[Literal["circle"]]');
  });
});

const SCALARS = `
assert Thing.model_validate({"size": 5}).to_dict() == {"size": 5}
assert Thing.model_validate_json('{"size": 0.5}').size == 0.5
assert Thing.model_validate({"size": "large"}).size == "large"
assert Thing.model_validate({"size": None}).size is None
`;

describe('a model in Python', () => {
  it('has members of several scalar types, each kept as it came', () => {
    run(SCALARS, {
      Thing: {
        type: 'object',
        required: ['size'],
        properties: { size: { anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'null' }] } },
      },
    });
  });

  it('may refer to itself, stand after what uses it, and have a name that no alias gives back', () => {
    run(
      `
data = {"a1B": 1, "children": [{"children": []}], "other": {"node": {"children": []}}}
read = Node.model_validate(data)
assert (type(read.children[0]), type(read.other.node)) == (Node, Node)
assert read.to_dict() == data, read.to_dict()
`,
      {
        Node: {
          type: 'object',
          required: ['children'],
          properties: {
            a1B: { type: 'integer' },
            children: { type: 'array', items: ref('Node') },
            other: ref('Other'),
          },
        },
        Other: { type: 'object', properties: { node: ref('Node') } },
      },
    );
  });

  it('has a class for an object within an object, and the members of all of its parts', () => {
    run(
      `
whole = Whole.model_validate({"id": "1", "size": {"widthInCm": 2}, "extra": True})
assert isinstance(whole, Base) and isinstance(whole.size, WholeSize)
assert (whole.id, whole.size.width_in_cm, whole.extra) == ("1", 2, True)
`,
      {
        Base: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
        Whole: {
          allOf: [
            ref('Base'),
            {
              type: 'object',
              properties: { size: { type: 'object', properties: { widthInCm: { type: 'integer' } } } },
            },
            { type: 'object', properties: { extra: { type: 'boolean' } } },
          ],
        },
      },
    );
  });

  it('has enumerations that are text, with constants for what is known', () => {
    run(
      `
assert Colour.RED == "red" and isinstance(Colour.RED, Colour) and Colour("red") is Colour.RED
assert [member.known for member in Colour] == [True, True, True] and not Colour("blue").known
assert Colour.VALUE_3D == "3d" and Colour.DESCENDING_SIZE == "-size"
`,
      { Colour: { type: 'string', enum: ['red', '3d', '-size'] } },
    );
  });
});
