import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import type { ListedEntity } from './listed-entity.ts';

const sha256 = (value: unknown): string => createHash('sha256').update(canonicalJson(value as Json)).digest('hex');

/** Changes whenever anything changes that the list says of an entity. */
export const contentHash = (entity: ListedEntity): string => sha256(entity);

/**
 * Changes when something changes that a name is judged by, in whatever order the list says it. What a list only tells about an entity
 * (programmes, remarks, links) is not in it: on most days that is all that changes, and no decision about a hit rests on it.
 */
export function matchHash({ type, category, names, birthDates, gender, countries, identifiers }: ListedEntity): string {
  const sorted = (values: readonly unknown[]): string[] => values.map((value) => canonicalJson(value as Json)).sort();
  // What is shown first is no other name for it.
  const compared = names.map(({ name, quality }) => ({ name, quality }));
  return sha256({ type, category, names: sorted(compared), birthDates: sorted(birthDates), gender, countries: sorted(countries), identifiers: sorted(identifiers) });
}
