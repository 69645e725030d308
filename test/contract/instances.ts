/**
 * Generates values that a schema accepts or refuses. Used by renderings.test.ts, which compares the published forms of
 * the contract.
 */
import fc from 'fast-check';
import { resolve, schemaTypes } from '../../scripts/contract/contract.ts';
import type { Contract, Schema } from '../../scripts/contract/contract.ts';

const WRONG: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  true,
  false,
  '',
  ' ',
  'x',
  '2026-13-45',
  [],
  [null],
  {},
  { nobody: 1 },
];
const FORMATS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'uuid': fc.uuid(),
  'date-time': fc
    .date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2100-01-01') })
    .map((date) => date.toISOString()),
  'date': fc
    .date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2100-01-01') })
    .map((date) => date.toISOString().slice(0, 10)),
  'email': fc.constant('ana.souza@example.com'),
  'uri': fc.webUrl(),
  'uri-reference': fc.constant('/v1/things'),
};

/**
 * Generates values that a schema accepts, and as many that it refuses because of an error at any depth: a type, a
 * bound, a name, a missing or an extra member.
 */
export function instances(contract: Contract, schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(right({ contract, noise: 0 }, schema, 0), right({ contract, noise: 1 }, schema, 0));
}

interface Source {
  readonly contract: Contract;
  /** Probability, in tenths, that a value is replaced by another. */
  readonly noise: number;
}

/** Depth below which a schema that holds itself gets a scalar or an empty value, which its other bounds allow. */
const DEEPEST = 12;

function right(source: Source, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const { noise } = source;
  const own = rightHere(source, schema, depth);
  return noise === 0
    ? own
    : fc.oneof(
        { weight: 10 - noise, arbitrary: own },
        { weight: noise, arbitrary: fc.oneof(fc.constantFrom(...WRONG), fc.constantFrom(...beyond(schema))) },
      );
}

/** Returns values one step beyond each bound. */
function beyond({ maxLength, minLength, minimum, maximum }: Schema): readonly unknown[] {
  return [
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)]),
    ...(minLength === undefined ? [] : ['x'.repeat(Math.max(0, minLength - 1))]),
    ...(minimum === undefined ? [] : [minimum, minimum - 1]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
    'nobody',
  ];
}

function rightHere(source: Source, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const { contract } = source;
  const within = (child: Schema): fc.Arbitrary<unknown> => right(source, child, depth + 1);
  if (depth > DEEPEST) return fc.constantFrom('x', {}, []);
  if (schema.$ref !== undefined) return within(resolve<Schema & object>(contract, { $ref: schema.$ref }));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map(within));
  if (schema.allOf !== undefined)
    return fc
      .tuple(...schema.allOf.map((part) => rightHere(source, part, depth + 1)))
      .map((parts) => Object.assign({}, ...parts) as unknown);
  return fc.oneof(
    ...(schema.type === undefined ? ['object', 'string'] : schemaTypes(schema)).map((type) =>
      ofType(type, schema, within),
    ),
  );
}

function ofType(type: string, schema: Schema, within: (child: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { minLength = 0, minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER, minItems = 0 } = schema;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'array':
      return fc.array(within(schema.items ?? {}), {
        minLength: minItems,
        maxLength: Math.min(schema.maxItems ?? 3, minItems + 3),
      });
    case 'object':
      return object(schema, within);
    default:
      // The generator would search letters of all scripts by trial and error.
      if (/\\[pP]\{/.test(schema.pattern ?? ''))
        return fc.constantFrom('Ana Souza', 'José d’Ávila', 'علی\u200cرضا', '山田 太郎');
      if (schema.pattern !== undefined && !/\(\?[=!<]/.test(schema.pattern))
        return fc.stringMatching(new RegExp(schema.pattern, 'u'));
      return (
        FORMATS[schema.format ?? ''] ??
        fc.string({ minLength, maxLength: Math.min(schema.maxLength ?? 20, minLength + 20) })
      );
  }
}

function object(
  { properties = {}, required = [], additionalProperties = true, propertyNames = {} }: Schema,
  within: (child: Schema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, within(child)])),
    { requiredKeys: [...required] },
  );
  const more =
    additionalProperties === false
      ? fc.constant({})
      : fc.dictionary(
          within({
            type: 'string',
            minLength: 1,
            maxLength: 12,
            ...propertyNames,
          }).map(String),
          within(additionalProperties === true ? { type: 'string' } : additionalProperties),
          { maxKeys: 2 },
        );
  return fc.tuple(more, known).map(([others, own]) => ({ ...(others as object), ...own }));
}
