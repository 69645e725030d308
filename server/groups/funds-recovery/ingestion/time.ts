export function milliseconds(time: string): number {
  return Date.parse(time);
}

/** Of the directory's own precision: milliseconds, Z. */
export function isoTime(at: number | string): string {
  return new Date(at).toISOString();
}
