/**
 * What stands in an address was typed by anybody: each search member is taken only as what it should be, and left out
 * otherwise. These functions make the `validateSearch` of routes.
 */
export function textIn(value: unknown): string | undefined {
  // The router reads digits in an address as a number.
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function oneOf<T extends string>(options: readonly T[], value: unknown): T | undefined {
  return options.find((option) => option === value);
}

/** A day as the browser's own field for dates writes it. */
export function dayIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
