/** Formats a time for `datetime-local`: local time without a zone. Used by forms with such a field. */
export function localMinute(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
