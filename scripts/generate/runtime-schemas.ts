/** Schemas of the runtime contract, each as requests or responses need it. Used by runtime-contract.ts. */
import { isTextFormat } from '../../server/contract/text-formats.ts';
import { type Contract, type Schema, schemaName, SUBSCHEMAS } from '../contract/contract.ts';
import { schemasReached } from '../contract/walk.ts';

/**
 * Three versions of one named schema. `request`: as written. `response`: closed, because an undeclared member is a
 * defect of the server; its texts may have been accepted before the contract excluded what it excludes today, so the
 * rules of requests for texts do not apply. `part`: a response schema below `allOf`, which remains open because the
 * whole is closed.
 */
type Reading = 'request' | 'response' | 'part';
const READINGS: readonly Reading[] = ['request', 'response', 'part'];

/** Collects the component schemas that requests and responses reach, each in the versions that are needed. */
export class RuntimeSchemas {
  readonly #published: Readonly<Record<string, Schema>>;
  readonly #requested: ReadonlySet<Schema>;
  readonly #built = new Map<string, Schema>();
  readonly #different = new Map<string, boolean>();

  constructor(contract: Contract) {
    this.#published = contract.components.schemas ?? {};
    this.#requested = new Set(schemasReached(contract, 'request').map(({ schema }) => schema));
  }

  /** Returns a reduced copy of a schema where it is used, and registers every component that it refers to. */
  use(schema: Schema, reading: 'request' | 'response'): Schema {
    return this.#rewrite(schema, reading);
  }

  /**
   * Returns the components in the order of the contract; a second version of a name gets a suffix (`Address.response`).
   */
  components(): Record<string, Schema> {
    const keys = Object.keys(this.#published).flatMap((name) => READINGS.map((reading) => componentKey(name, reading)));
    return Object.fromEntries(
      keys.flatMap((key) => {
        const schema = this.#built.get(key);
        return schema === undefined ? [] : [[key, schema]];
      }),
    );
  }

  #rewrite(schema: Schema, reading: Reading): Schema {
    const name = schemaName(schema);
    if (name !== null) return { $ref: `#/components/schemas/${this.#reference(name, reading)}` };
    const composite = reading !== 'request' && (schema.allOf !== undefined || schema.properties !== undefined);
    const lean = leanSchema(schema, (child, where) => {
      if (reading === 'request') return this.#rewrite(child, 'request');
      const isPart = where === 'here' && (reading === 'part' || composite);
      return this.#rewrite(child, isPart ? 'part' : 'response');
    });
    if (reading !== 'request' && this.#isStored(schema)) return stored(lean);
    return reading === 'response' && composite && isOpen(schema) ? { ...lean, unevaluatedProperties: false } : lean;
  }

  #reference(name: string, wanted: Reading): string {
    const schema = this.#published[name];
    if (schema === undefined) throw new Error(`no component schema ${name}`);
    const reading = this.#differs(name) ? wanted : 'request';
    const key = componentKey(name, reading);
    if (!this.#built.has(key)) {
      this.#built.set(key, {});
      this.#built.set(key, this.#rewrite(schema, reading));
    }
    return key;
  }

  /**
   * Returns whether the response version of this schema, or of any that it reaches, differs; most scalars and closed
   * schemas are shared.
   */
  #differs(name: string): boolean {
    const known = this.#different.get(name);
    if (known !== undefined) return known;
    this.#different.set(name, true);
    const schema = this.#published[name];
    const answer = schema !== undefined && this.#changes(schema);
    this.#different.set(name, answer);
    return answer;
  }

  /** Returns whether requests contain such values, under rules that may become stricter over time. */
  #isStored(schema: Schema): boolean {
    return (
      isTextFormat(schema.format) ||
      (this.#requested.has(schema) && Object.keys(schema).some((keyword) => isRuleOfRequests(keyword, schema)))
    );
  }

  #changes(schema: Schema): boolean {
    const name = schemaName(schema);
    if (name !== null) return this.#differs(name);
    if (this.#isStored(schema) || ((schema.properties !== undefined || schema.allOf !== undefined) && isOpen(schema)))
      return true;
    let found = false;
    leanSchema(schema, (child) => {
      found ||= this.#changes(child);
      return child;
    });
    return found;
  }
}

/**
 * Returns whether a keyword is a pattern, a format of free text, or a keyword of the dialect that the validator
 * enforces.
 */
function isRuleOfRequests(keyword: string, { format }: Schema): boolean {
  return (
    keyword === 'pattern' ||
    ENFORCED.has(keyword) ||
    (keyword === 'format' && (isTextFormat(format) || format === 'email'))
  );
}

function stored(lean: Schema): Schema {
  return Object.fromEntries(Object.entries(lean).filter(([keyword]) => !isRuleOfRequests(keyword, lean)));
}

function isOpen(schema: Schema): boolean {
  return schema.additionalProperties === undefined && schema.unevaluatedProperties === undefined;
}

/** Returns the key of a component: the plain name is the request version; OpenAPI allows dots in component names. */
function componentKey(name: string, reading: Reading): string {
  return reading === 'request' ? name : `${name}.${reading}`;
}

/** Annotations that a validator ignores. */
const ANNOTATIONS = new Set([
  'title',
  'description',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  'xml',
  '$comment',
]);

/** Members of the dialect that the validator of the service implements as keywords. */
const ENFORCED = new Set(['x-not-before', 'x-in-order']);

type Where = 'here' | 'inside';

/**
 * Returns a copy without annotations and extensions. `visit` rewrites each subschema: `here` describes the same
 * instance (allOf, oneOf, …), `inside` describes a member or an item. Members named `description` and the values of
 * `const`, `enum` and `default` are data, not annotations, and are kept.
 */
function leanSchema(schema: Schema, visit: (child: Schema, where: Where, keyword: string) => Schema): Schema {
  const lean: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword) || (keyword.startsWith('x-') && !ENFORCED.has(keyword))) continue;
    if (keyword === 'discriminator')
      lean[keyword] = { propertyName: (value as NonNullable<Schema['discriminator']>).propertyName };
    else if (SUBSCHEMAS.map.has(keyword))
      lean[keyword] = mapValues(value as Record<string, Schema>, (child) => visit(child, 'inside', keyword));
    else if (SUBSCHEMAS.list.has(keyword))
      lean[keyword] = (value as Schema[]).map((child) => visit(child, 'here', keyword));
    else if (SUBSCHEMAS.one.has(keyword) && typeof value === 'object')
      lean[keyword] = visit(value as Schema, 'inside', keyword);
    else lean[keyword] = value;
  }
  return lean as Schema;
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
