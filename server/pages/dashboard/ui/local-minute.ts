/** The form of `datetime-local`: the time on this computer, without a zone. */
export function localMinute(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
