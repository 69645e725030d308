/**
 * Writes compiled validators as text and reads them back. Used by cached-validators.ts only. It throws if a validator
 * uses something that the text cannot express; then nothing is cached and each start compiles.
 */
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import type { Ajv, ValidateFunction } from 'ajv';
import type { SchemaEnv } from 'ajv/dist/compile/index.js';
import { createOrderCheck, originOf } from './order-keywords.ts';

/** Compiled functions by name, for example by media type. */
export type Compiled = Readonly<Record<string, ValidateFunction>>;

/** One compiled function, with the instance of Ajv that compiled it. */
export interface Part {
  readonly name: string;
  readonly validate: ValidateFunction;
  readonly ajv: Ajv;
}

const require = createRequire(import.meta.url);
const helper = (name: string): unknown =>
  (require(`ajv/dist/runtime/${name}.js`) as { readonly default: unknown }).default;
/** Functions that generated code may call, under the names by which the cached text refers to them. */
const FUNCTIONS = {
  equal: helper('equal'),
  ucs2length: helper('ucs2length'),
  hasOwn: Object.prototype.hasOwnProperty,
} as const;

/** Names by which a cached text refers to objects of the process that loads it. */
const SURROUNDINGS = ['self', 'formats', 'functions', 'keyword'] as const;

/** A parsed cached text: creates its functions, by the names of their groups. */
export type CachedText = (ajv: Ajv) => Readonly<Record<string, Compiled>>;

/**
 * Parses a cached text. The code uses the formats of `ajv`, one of the validator's own instances, although another
 * instance generated the code.
 */
export function parseCachedText(text: string, path: string): CachedText {
  const create = compileFunction(text, [...SURROUNDINGS], { filename: path }) as (
    ...surroundings: unknown[]
  ) => ReturnType<CachedText>;
  return (ajv) => create(ajv, ajv.formats, FUNCTIONS, createOrderCheck);
}

/** Statement at the start of the code that Ajv generated, before the function: it takes a value from the scope. */
const FROM_SCOPE = /const (\w+) = scope\.(\w+)\[(\d+)\];/g;

/**
 * Writes compiled validators as the body of a function. Ajv's own standalone code is not used, because it needs every
 * schema as text, with the whole document in each, and cannot express compiled keywords. The text holds the code that
 * Ajv generated, unchanged, and names everything that this code takes from its scope: literals of the schemas,
 * patterns, formats, keywords and other validators.
 */
export class ValidatorSource {
  #sources = new WeakMap<SchemaEnv, string>();
  readonly #indexes = new Map<ValidateFunction, number>();
  readonly #literals = new Map<string, number>();
  readonly #lines: string[] = [];
  readonly #groups: string[] = [];

  /** Stores the code that is generated for a schema; passed to Ajv as the option `code.process`. */
  readonly remember = (source: string, schema?: SchemaEnv): string => {
    if (schema !== undefined) this.#sources.set(schema, source);
    return source;
  };

  /** Adds the functions that were compiled under a name. Throws if they use a value that the text cannot express. */
  add(group: string, parts: readonly Part[]): void {
    const members = parts.map(
      ({ name, validate, ajv }) => `${JSON.stringify(name)}: f[${this.#function(validate, ajv)}]`,
    );
    this.#groups.push(`${JSON.stringify(group)}: { ${members.join(', ')} }`);
  }

  /** Discards the generated code, which the validators would otherwise hold as long as they exist. */
  clear(): void {
    this.#sources = new WeakMap();
    for (const collection of [this.#indexes, this.#literals]) collection.clear();
    for (const list of [this.#lines, this.#groups]) list.length = 0;
  }

  text(): string {
    return [
      "'use strict';",
      'const f = [];',
      'const define = (index, evaluated, validate) => { f[index] = Object.assign(validate, { errors: null }, ' +
        'evaluated && { evaluated }); };',
      `const s = [\n${[...this.#literals.keys()].map((literal) => `JSON.parse(${JSON.stringify(literal)})`).join(',\n')}\n];`,
      ...this.#lines,
      `return {\n${this.#groups.join(',\n')}\n};`,
      '',
    ].join('\n');
  }

  /**
   * Returns the index of a function in the text. Functions that it calls are written before it, except itself and
   * mutually recursive ones.
   */
  #function(validate: ValidateFunction, ajv: Ajv): number {
    const known = this.#indexes.get(validate);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(validate, index);
    const source = this.#sources.get(validate.schemaEnv);
    const start = source?.indexOf('return function ') ?? -1;
    if (source === undefined || start < 0)
      throw new Error(`no generated code is stored for the schema ${JSON.stringify(validate.schema).slice(0, 100)}`);
    const [head, body] = [source.slice(0, start), source.slice(start)];
    if (head.replaceAll(FROM_SCOPE, '') !== '')
      throw new Error(`generated code must begin with values from its scope, but begins with ${head.slice(0, 100)}`);
    const scope = ajv.scope.get() as Readonly<Record<string, readonly unknown[]>>;
    const values = [...head.matchAll(FROM_SCOPE)].flatMap(([, name = '', prefix = '', at]) =>
      new RegExp(`\\b${name}\\b`).test(body)
        ? [`const ${name} = ${this.#value(prefix, scope[prefix]?.[Number(at)], ajv)};`]
        : [],
    );
    const evaluated = validate.evaluated === undefined ? 'null' : JSON.stringify(validate.evaluated);
    this.#lines.push(`define(${index}, ${evaluated}, (() => { ${values.join(' ')} ${body} })());`);
    return index;
  }

  #value(prefix: string, value: unknown, ajv: Ajv): string {
    switch (prefix) {
      case 'schema':
        return `s[${this.#literal(value)}]`;
      case 'pattern':
        return `new RegExp(${JSON.stringify((value as RegExp).source)}, ${JSON.stringify((value as RegExp).flags)})`;
      case 'formats':
        return `formats[${JSON.stringify(nameOf(value, ajv.formats))}]`;
      case 'func':
        return `functions[${JSON.stringify(nameOf(value, FUNCTIONS))}]`;
      case 'keyword':
        return `keyword(${originOf(value)
          .map((part) => JSON.stringify(part))
          .join(', ')})`;
      case 'validate':
        return `f[${this.#function(value as ValidateFunction, ajv)}]`;
      // A recursive schema is called through an object that resolves the function at the time of the call.
      case 'root':
      case 'wrapper':
        return (
          '{ get validate() { return ' +
          `f[${this.#function((value as SchemaEnv).validate as ValidateFunction, ajv)}]; } }`
        );
      default:
        throw new Error(`generated code uses the scope ${prefix}, which cannot be written`);
    }
  }

  /**
   * Writes the schema without the document around it, which the validator attaches to every schema that it compiles and
   * no generated code reads.
   */
  #literal(schema: unknown): number {
    const isObject = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
    const text = JSON.stringify(isObject ? { ...schema, components: undefined, paths: undefined } : schema);
    const index = this.#literals.get(text) ?? this.#literals.size;
    this.#literals.set(text, index);
    return index;
  }
}

function nameOf(value: unknown, known: Readonly<Record<string, unknown>>): string {
  const found = Object.entries(known).find(([, each]) => each === value);
  if (found === undefined)
    throw new Error(`generated code calls ${String(value).slice(0, 100)}, which cannot be named in the text`);
  return found[0];
}
