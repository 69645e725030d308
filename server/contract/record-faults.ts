/**
 * Checks that a record fits the schema that will show it, before it is stored. Used when watch lists are read. A record
 * that passes wrongly would make later responses fail.
 */
import { recordBounds } from './generated/record-bounds.ts';

type RecordName = keyof typeof recordBounds;

interface Bound {
  readonly length?: number;
  readonly items?: number;
  readonly each?: Bound;
}

/**
 * Lists the members of a record that exceed the schema which shows the record, each with its JSON Pointer. Called
 * before the record is stored.
 */
export function recordFaults(name: RecordName, record: object): string[] {
  const bounds: Readonly<Record<string, Bound>> = recordBounds[name];
  return Object.entries(record).flatMap(([member, value]) => faultsOf(value, bounds[member] ?? {}, `/${member}`));
}

function faultsOf(value: unknown, { length, items, each = {} }: Bound, pointer: string): string[] {
  if (typeof value === 'string')
    return length !== undefined && lengthOf(value, length) > length
      ? [`${pointer} has more than ${length} characters`]
      : [];
  if (!Array.isArray(value)) return [];
  if (items !== undefined && value.length > items)
    return [`${pointer} has ${value.length} items, and ${items} can be shown`];
  return value.flatMap((item, index) => faultsOf(item, each, `${pointer}/${index}`));
}

/** Returns the length in characters, as JSON Schema counts it, because JavaScript counts some characters as two. */
function lengthOf(text: string, most: number): number {
  return text.length <= most ? text.length : [...text].length;
}
