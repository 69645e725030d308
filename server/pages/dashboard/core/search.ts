/**
 * Functions for the `validateSearch` of routes. Used by the file with the search parameters of each page. A URL can
 * contain anything, so each search parameter is accepted only in its expected form and omitted otherwise, never an
 * error.
 */
export function textIn(value: unknown): string | undefined {
  // The router parses digits in a URL as a number.
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function oneOf<T extends string>(options: readonly T[], value: unknown): T | undefined {
  return options.find((option) => option === value);
}

/** Accepts a day in the format of the browser's date field. */
export function dayIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
}
