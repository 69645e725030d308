import type { ApiModel } from '../model.ts';
import type { Schema } from '../schema.ts';
import { schemaName } from '../schema.ts';
import { header, str } from './text.ts';

type Schemas = ApiModel['schemas'];

/**
 * `shown.py`: the members whose values may stand in a log. A name is among them only if it is harmless wherever the
 * contract uses it: an enumeration, a flag, or an object or list that holds members of its own; never what is personal.
 */
export function shownModule({ schemas }: ApiModel): string {
  const verdicts = new Map<string, boolean>();
  for (const schema of Object.values(schemas)) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      verdicts.set(name, (verdicts.get(name) ?? true) && harmless(property, schemas));
    }
  }
  const names = [...verdicts].filter(([, verdict]) => verdict).map(([name]) => name).sort();
  return `${header()}"""Members whose values may be logged."""\n\nfrom typing import Final\n\nSHOWN: Final = frozenset({${names.map(str).join(', ')}})\n`;
}

function harmless(schema: Schema, schemas: Schemas): boolean {
  if (schema['x-pii'] === true) return false;
  const name = schemaName(schema);
  if (name !== null) return harmless(schemas[name] ?? {}, schemas);
  const variants = schema.oneOf ?? schema.allOf;
  if (variants !== undefined) return variants.every((variant) => variant.type === 'null' || harmless(variant, schemas));
  if (schema.enum !== undefined || schema.const !== undefined || schema.properties !== undefined) return true;
  if (schema.items !== undefined) return harmless(schema.items, schemas);
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  return types.length === 1 && types[0] === 'boolean';
}
