/** A time in the form of the browser's field for times. Used by forms with such a field. */

/** Formats a time for `datetime-local`: local time without a zone. */
export function localMinute(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
