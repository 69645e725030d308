import { badRequest } from './refusal.ts';

/** A place in a list that is ordered by time and then by id; what follows it is the next page. */
export interface Position {
  readonly at: number;
  readonly id: string;
}

/** Of one generation of the sandbox: after a reset it names a place that is gone. */
export function encodeCursor(generation: number, { at, id }: Position): string {
  return Buffer.from(`${generation} ${at} ${id}`).toString('base64url');
}

export function decodeCursor(cursor: string, generation: number): Position {
  const [, of, at, id] = /^(\d{1,9}) (\d{1,15}) ([\da-f-]{1,36})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (id === undefined || Number(of) !== generation) throw badRequest('Cursor is not valid');
  return { at: Number(at), id };
}

/** The entries behind a position, and whether there are more than fit. */
export function pageAfter<T>(
  entries: readonly T[], position: Position | null, size: number, place: (entry: T) => Position,
): { readonly page: readonly T[]; readonly more: boolean } {
  const rest = position === null ? entries : entries.filter((entry) => compare(place(entry), position) > 0);
  return { page: rest.slice(0, size), more: rest.length > size };
}

export function compare(a: Position, b: Position): number {
  // Ids of notifications are integers without leading zeros, the others all have one length.
  return a.at - b.at || a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
