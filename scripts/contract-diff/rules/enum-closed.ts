import type { DiffRule } from '../change.ts';
import { schemaPairs } from '../pairs.ts';

/** `x-enum-open` promises that values may be added; types and models of the SDKs change with it. */
export const enumClosed: DiffRule = (base, revision) => schemaPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-enum-open'] === true, pair.revision['x-enum-open'] === true];
  if (before === after || pair.base.enum === undefined) return [];
  return [{ impact: 'major', place, message: before ? 'is no longer an open enumeration' : 'became an open enumeration' }];
});
