import type { ApiModel } from '../model.ts';
import { pythonName } from '../naming.ts';
import { schemaName } from '../schema.ts';
import type { Schema } from '../schema.ts';

type Schemas = ApiModel['schemas'];

/**
 * Prints an example as Python. Members of API objects get their Python names; the keys of a free map (`metadata`) are
 * the caller's own and stay as they are.
 */
export function pythonLiteral(value: unknown, schema: Schema | undefined, schemas: Schemas, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  const inner = `${indent}    `;
  const known = resolved(schema, value, schemas);
  const parts = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, known?.items, schemas, inner))
    : Object.entries(value).map(([key, member]) => {
        const property = propertyOf(known, key, schemas);
        return `${JSON.stringify(property === undefined ? key : pythonName(key))}: ${pythonLiteral(member, property, schemas, inner)}`;
      });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const line = `${open}${parts.join(', ')}${close}`;
  return line.length + indent.length <= 72 && !line.includes('\n') ? line : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** Double quotes, unless single ones save escapes. */
function quoted(text: string): string {
  const literal = JSON.stringify(text);
  return text.includes('"') && !text.includes("'") ? `'${literal.slice(1, -1).replaceAll('\\"', '"')}'` : literal;
}

/** The schema behind references, and of a union the variant whose tag the value bears. */
function resolved(schema: Schema | undefined, value: object, schemas: Schemas): Schema | undefined {
  const name = schema === undefined ? null : schemaName(schema);
  if (name !== null) return resolved(schemas[name], value, schemas);
  const variants = (schema?.oneOf ?? []).filter((variant) => variant.type !== 'null').map((variant) => resolved(variant, value, schemas));
  const tag = schema?.discriminator?.propertyName;
  const chosen = tag === undefined ? variants[0] : variants.find((variant) => variant?.properties?.[tag]?.const === (value as Record<string, unknown>)[tag]);
  return chosen ?? schema;
}

function propertyOf(schema: Schema | undefined, key: string, schemas: Schemas): Schema | undefined {
  const own = schema?.properties?.[key];
  if (own !== undefined) return own;
  for (const part of schema?.allOf ?? []) {
    const found = propertyOf(resolved(part, {}, schemas), key, schemas);
    if (found !== undefined) return found;
  }
  return undefined;
}
