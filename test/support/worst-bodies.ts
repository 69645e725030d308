/**
 * Walks schemas to build the most expensive bodies that they allow. Used by the tests of every operation and the
 * benchmark.
 */
import type { Schema } from '../../scripts/contract/contract.ts';
import { dereferenced } from './contract.ts';

/** A place in a body: its path and its schema. */
export interface BodyLocation {
  readonly path: readonly string[];
  readonly schema: Schema;
  /**
   * Path of the outermost union that encloses the place, or is it, and whose variants a member tells apart. Without
   * that member, the service cannot tell which variant is meant, so an error names the union and nothing within it.
   */
  readonly union?: readonly string[];
}

/**
 * Returns every place of a schema, through unions and parts; the first item represents all items, one entry all
 * entries. `above` holds the enclosing schemas, because one that holds itself has no last place.
 */
export function locationsOf(
  schema: Schema,
  path: readonly string[] = [],
  above: readonly Schema[] = [],
  union?: readonly string[],
): BodyLocation[] {
  const described = dereferenced(schema);
  if (above.includes(described)) return [];
  const enclosing = union ?? (described.discriminator === undefined ? undefined : path);
  const within = (child: Schema, step: readonly string[]) => locationsOf(child, step, [...above, described], enclosing);
  const { properties = {}, items, additionalProperties, allOf = [], oneOf = [], anyOf = [], ...own } = described;
  return [
    ...(own.type === undefined ? [] : [{ path, schema: described, ...(enclosing && { union: enclosing }) }]),
    ...Object.entries(properties).flatMap(([name, child]) => within(child, [...path, name])),
    ...(items === undefined ? [] : within(items, [...path, '0'])),
    ...(typeof additionalProperties === 'object' ? within(additionalProperties, [...path, 'entry']) : []),
    ...[...allOf, ...oneOf, ...anyOf].flatMap((part) => within(part, path)),
  ];
}

/** Returns JSON with this value at this place, and nothing else. */
export function at(path: readonly string[], value: string): string {
  return [...path]
    .reverse()
    .reduce((text, step) => (step === '0' ? `[${text}]` : `{${JSON.stringify(step)}:${text}}`), value);
}

export const pointerOf = (path: readonly string[]): string => path.map((step) => `/${step}`).join('');

/** Longest text that was made of each content, from which shorter ones are cut. */
const longest = new WeakMap<Piece, string>();

/** Content that is repeated, without a comma. */
export type Piece = (i: number) => string;

/** Returns `one(0),one(1),…`, limited by bytes or by number. */
export function repeated(one: Piece, most: { readonly bytes: number } | { readonly times: number }): string {
  if ('times' in most) return Array.from({ length: most.times }, (_, i) => one(i)).join(',');
  let text = longest.get(one) ?? '';
  if (text.length < most.bytes) {
    const parts: string[] = [];
    for (let [i, size] = [0, 0]; size <= most.bytes; i++) {
      const part = one(i);
      size += part.length + 1;
      parts.push(part);
    }
    text = `${parts.join(',')},`;
    longest.set(one, text);
  }
  return text.slice(0, Math.max(0, text.lastIndexOf(',', most.bytes - 1)));
}

const members = new WeakMap<Piece, Piece>();

/** Returns members of an object with this content, under distinct names. */
export function asMembers(one: Piece): Piece {
  const known = members.get(one) ?? ((i: number) => `"${i.toString(36)}":${one(i)}`);
  members.set(one, known);
  return known;
}

/** Members of an object, each zero. */
export const ZEROS: Piece = asMembers(() => '0');

/** Kinds of content to fill arrays and objects with. */
export const STUFFING: Readonly<Record<string, Piece>> = {
  'empty objects': () => '{}',
  'empty texts': () => '""',
  'distinct texts': (i) => `"${i.toString(36)}"`,
  'nested arrays': () => '[[[[[]]]]]',
  'distinct objects': (i) => `{"${i.toString(36)}":{}}`,
};

/**
 * Kinds of content that count as one value per item, so that an array or a map is full before the limit on values is
 * reached.
 */
export const SHALLOW: ReadonlySet<string> = new Set(['empty objects', 'empty texts', 'distinct texts']);

/**
 * Returns the largest body within the limits, with every value invalid. What holds itself does so once: `above` holds
 * the enclosing schemas.
 */
export function fullest(schema: Schema, wrong: (schema: Schema) => unknown, above: readonly Schema[] = []): unknown {
  const described = dereferenced(schema);
  const { properties, items, additionalProperties, allOf = [], oneOf = [], anyOf = [], ...own } = described;
  if (above.includes(described)) return wrong(own);
  const within = (child: Schema) => fullest(child, wrong, [...above, described]);
  const union = [...oneOf, ...anyOf][0];
  if (union !== undefined) return within(union);
  if (allOf.length > 0) return Object.assign({}, ...allOf.map(within));
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, within(child)]));
  if (items !== undefined) return Array.from({ length: own.maxItems ?? 0 }, () => within(items));
  if (typeof additionalProperties === 'object')
    return Object.fromEntries(
      Array.from({ length: own.maxProperties ?? 0 }, (_, i) => [`entry ${i}`, within(additionalProperties)]),
    );
  return wrong(own);
}

/** Returns values that fill a room and are no text. */
export function noTexts(room: number): readonly (readonly [string, string])[] {
  return [
    ['digits', '9'.repeat(room)],
    ['a fraction', `0.${'1'.repeat(room - 2)}`],
    ['an array', `[${repeated(() => '[]', { bytes: room })}]`],
    ['an object', `{${repeated(ZEROS, { bytes: room })}}`],
  ];
}

/** Texts that slow patterns and formats take longest for: each begins well, continues for long, and ends badly. */
export const HOSTILE = [
  ...['a', '0', 'a.', 'a-', '-', '.', 'a@a.', ' ', '1:', 'A1/', '%'],
  ...['\\n', '\\u00e9', '\\ud83d\\ude00', '\\"'],
];

/** Returns a text of as many pieces as fit into a room, which ends badly. */
export function textOf(piece: string, room: number): string {
  return `"${piece.repeat(Math.floor(Math.max(room - 4, 0) / piece.length))}!\\n"`;
}
