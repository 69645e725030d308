import { isDeepStrictEqual } from 'node:util';
import { schemaTypes } from '../generate/schema.ts';
import type { Schema } from '../generate/schema.ts';

const UPPER = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const LOWER = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
const EXACT = ['const', 'pattern', 'format', 'multipleOf'] as const;

/** The keywords by which `now` refuses what `before` allowed; what is below them is looked at by itself. */
export function narrowed(before: Schema, now: Schema): string[] {
  return [
    ...(losesTypes(before, now) ? ['type'] : []),
    ...(now.enum !== undefined && (before.enum ?? [undefined]).some((value) => !now.enum?.includes(value)) ? ['enum'] : []),
    ...UPPER.filter((keyword) => (now[keyword] ?? Infinity) < (before[keyword] ?? Infinity)),
    ...LOWER.filter((keyword) => (now[keyword] ?? -Infinity) > (before[keyword] ?? -Infinity)),
    ...EXACT.filter((keyword) => now[keyword] !== undefined && !isDeepStrictEqual(now[keyword], before[keyword])),
    ...(now.uniqueItems === true && before.uniqueItems !== true ? ['uniqueItems'] : []),
    ...((now.required ?? []).some((name) => before.required?.includes(name) !== true) ? ['required'] : []),
    ...(isClosed(now) && (!isClosed(before) || membersLost(before, now).length > 0) ? ['additionalProperties'] : []),
  ];
}

export function membersLost(before: Schema, now: Schema): string[] {
  return Object.keys(before.properties ?? {}).filter((name) => !Object.hasOwn(now.properties ?? {}, name));
}

function losesTypes(before: Schema, now: Schema): boolean {
  const allowed = schemaTypes(now);
  if (allowed.length === 0) return false;
  const types = schemaTypes(before);
  // Null has a rule of its own.
  return types.length === 0 || types.some((type) => type !== 'null' && !allowed.includes(type) && !(type === 'integer' && allowed.includes('number')));
}

function isClosed({ additionalProperties, unevaluatedProperties }: Schema): boolean {
  return additionalProperties === false || unevaluatedProperties === false;
}
