import pg from 'pg';

type Parser = (text: string) => unknown;

/**
 * How values leave the database: timestamps as RFC 3339 in UTC with milliseconds, dates as they stand
 * (never a Date, which would shift them by the local offset), 64-bit integers as numbers.
 */
const parsers: Readonly<Record<number, Parser>> = {
  [pg.types.builtins.TIMESTAMPTZ]: timestamp,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.INT8]: integer,
};

export const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => parsers[oid] ?? pg.types.getTypeParser(oid, format ?? 'text')) as typeof pg.types.getTypeParser,
};

export function timestamp(text: string): string {
  // '2026-01-31 09:05:00.12+00': the session is in UTC and the columns hold milliseconds.
  if (!text.endsWith('+00')) return new Date(text).toISOString();
  const fraction = text.length > 22 ? text.slice(20, -3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

function integer(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53`);
  return value;
}
