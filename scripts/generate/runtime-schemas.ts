import { isTextFormat } from '../../server/http/text-formats.ts';
import { leanSchema } from './lean-schema.ts';
import { schemaName } from './schema.ts';
import type { Schema } from './schema.ts';

/**
 * The three readings of one named schema.
 * `request`: as written. `response`: closed, an undeclared member is a defect of the server. Its texts are as they were
 * accepted, perhaps before the contract ruled out what it rules out today, so their format and pattern are no demand.
 * `part`: a response schema below `allOf`; it stays open because the whole is closed around it.
 */
type Reading = 'request' | 'response' | 'part';
const READINGS: readonly Reading[] = ['request', 'response', 'part'];

/** Collects the component schemas that requests and responses reach, each in the readings that are needed. */
export class RuntimeSchemas {
  readonly #published: Readonly<Record<string, Schema>>;
  readonly #built = new Map<string, Schema>();
  readonly #different = new Map<string, boolean>();

  constructor(published: Readonly<Record<string, Schema>>) {
    this.#published = published;
  }

  /** A lean copy of a schema at a use site, registering every component it refers to. */
  use(schema: Schema, reading: 'request' | 'response'): Schema {
    return this.#rewrite(schema, reading);
  }

  /** Components in the order of the contract; a second reading of a name gets a suffix (`Address.response`). */
  components(): Record<string, Schema> {
    const keys = Object.keys(this.#published).flatMap((name) => READINGS.map((reading) => componentKey(name, reading)));
    return Object.fromEntries(keys.flatMap((key) => { const schema = this.#built.get(key); return schema === undefined ? [] : [[key, schema]]; }));
  }

  #rewrite(schema: Schema, reading: Reading): Schema {
    const name = schemaName(schema);
    if (name !== null) return { $ref: `#/components/schemas/${this.#reference(name, reading)}` };
    const composite = reading !== 'request' && (schema.allOf !== undefined || schema.properties !== undefined);
    const lean = leanSchema(schema, (child, where) => {
      if (reading === 'request') return this.#rewrite(child, 'request');
      return this.#rewrite(child, where === 'inside' ? 'response' : reading === 'part' || composite ? 'part' : 'response');
    });
    if (reading !== 'request' && isTextFormat(schema.format)) {
      const { format: _, pattern: __, ...stored } = lean;
      return stored;
    }
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

  /** Whether a response reads this schema or anything it reaches in another way; most scalars and closed schemas are shared. */
  #differs(name: string): boolean {
    const known = this.#different.get(name);
    if (known !== undefined) return known;
    this.#different.set(name, true);
    const schema = this.#published[name];
    const answer = schema !== undefined && this.#changes(schema);
    this.#different.set(name, answer);
    return answer;
  }

  #changes(schema: Schema): boolean {
    const name = schemaName(schema);
    if (name !== null) return this.#differs(name);
    if (isTextFormat(schema.format) || ((schema.properties !== undefined || schema.allOf !== undefined) && isOpen(schema))) return true;
    let found = false;
    leanSchema(schema, (child) => { found ||= this.#changes(child); return child; });
    return found;
  }
}

function isOpen(schema: Schema): boolean {
  return schema.additionalProperties === undefined && schema.unevaluatedProperties === undefined;
}

/** The plain name is the request reading; OpenAPI allows dots in component names. */
function componentKey(name: string, reading: Reading): string {
  return reading === 'request' ? name : `${name}.${reading}`;
}
