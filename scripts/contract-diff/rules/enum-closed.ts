import type { Schema } from '../../generate/schema.ts';
import type { DiffRule } from '../change.ts';
import { schemaPairs } from '../pairs.ts';

/** `x-enum-open` promises that values may be added; types and models of the SDKs change with it. */
export const enumClosed: DiffRule = (base, revision) => schemaPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [isOpen(pair.base), isOpen(pair.revision)];
  return before === after || !isEnumeration(pair.base) ? [] : [{ impact: 'major', place, message: before ? 'is no longer an open enumeration' : 'became an open enumeration' }];
});

/** Other contracts promise the same by listing the known values in `x-extensible-enum`. */
function isOpen(schema: Schema): boolean {
  return schema['x-enum-open'] === true || 'x-extensible-enum' in schema;
}

function isEnumeration(schema: Schema): boolean {
  return schema.enum !== undefined || 'x-extensible-enum' in schema;
}
