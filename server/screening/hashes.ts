/**
 * Hashes of a listed entity: of everything, and of what is matched. Used by imports and by stored hits. Decisions about
 * hits rest on the second one, so its fields must be exactly those that scores depend on.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import type { ListedEntity } from './listed-entity.ts';

const sha256 = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(value as Json))
    .digest('hex');

/** Hash that changes with any change of what the list says about an entity. */
export const contentHash = (entity: ListedEntity): string => sha256(entity);

const sorted = (values: readonly unknown[]): string[] => values.map((value) => canonicalJson(value as Json)).sort();

/**
 * Hash of the matched fields, regardless of their order. Fields that a list only shows (programmes, remarks, links) are
 * excluded: on most days only they change, and no decision about a hit depends on them. So are numbers that readers
 * have kept only since algorithm `m6`, because decisions of before rest on this hash.
 */
export function matchHash({ type, category, names, birthDates, gender, countries, identifiers }: ListedEntity): string {
  // Which name is shown first does not matter for matching.
  const compared = names.map(({ name, quality }) => ({ name, quality }));
  return sha256({
    type,
    category,
    names: sorted(compared),
    birthDates: sorted(birthDates),
    gender,
    countries: sorted(countries),
    identifiers: sorted(identifiers),
  });
}

/**
 * Hash of the fields that a hit rests on: the matched fields and, if the hit rests on one of `furtherIdentifiers`,
 * these too, so that decisions made before they were read do not apply.
 */
export const judgedHash = (entity: ListedEntity, isByFurther: boolean): string =>
  isByFurther ? sha256([matchHash(entity), sorted(entity.furtherIdentifiers ?? [])]) : matchHash(entity);
