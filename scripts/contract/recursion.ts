/**
 * Finds schemas that hold themselves without a bound. Used by lint and by the limits of bodies, because such a body has
 * no end.
 */
import { schemaName } from './contract.ts';
import type { Schema } from './contract.ts';
import { schemasWithin } from './walk.ts';

type Schemas = Readonly<Record<string, Schema>>;

/**
 * Returns the name of a schema that holds itself, among those that a schema reaches; null if there is none. What a
 * bounded schema holds is not searched.
 */
export function recursiveWithin(
  schema: Schema,
  schemas: Schemas,
  isBounded: (schema: Schema) => boolean = () => false,
): string | null {
  const searched = new Set<string>();
  const search = (node: Schema, above: readonly string[]): string | null => {
    for (const name of schemasWithin(node).flatMap((child) => schemaName(child) ?? [])) {
      if (above.includes(name)) return name;
      const target = schemas[name];
      if (target === undefined || searched.has(name) || isBounded(target)) continue;
      const found = search(target, [...above, name]);
      if (found !== null) return found;
      searched.add(name);
    }
    return null;
  };
  return search(schema, []);
}
