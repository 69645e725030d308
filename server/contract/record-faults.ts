import { recordBounds } from './generated/record-bounds.ts';

type RecordName = keyof typeof recordBounds;

interface Bound {
  readonly length?: number;
  readonly items?: number;
  readonly each?: Bound;
}

/** What of a record that is about to be kept would not fit the schema that shows it, each with its place. */
export function recordFaults(name: RecordName, record: object): string[] {
  const bounds: Readonly<Record<string, Bound>> = recordBounds[name];
  return Object.entries(record).flatMap(([member, value]) => faultsOf(value, bounds[member] ?? {}, `/${member}`));
}

function faultsOf(value: unknown, { length, items, each = {} }: Bound, place: string): string[] {
  if (typeof value === 'string') return length !== undefined && lengthOf(value, length) > length ? [`${place} has more than ${length} characters`] : [];
  if (!Array.isArray(value)) return [];
  if (items !== undefined && value.length > items) return [`${place} has ${value.length} items, and ${items} can be shown`];
  return value.flatMap((item, index) => faultsOf(item, each, `${place}/${index}`));
}

/** JSON Schema counts characters, and JavaScript the halves of some of them. */
function lengthOf(text: string, most: number): number {
  return text.length <= most ? text.length : [...text].length;
}
