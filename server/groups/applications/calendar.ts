const brasilia = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo', year: 'numeric', month: '2-digit', day: '2-digit' });

/** The calendar date in Brasília, where ages and expiry dates are counted, as YYYY-MM-DD. */
export function calendarDate(instant: Date): string {
  return brasilia.format(instant);
}

/** Whole years on a date. Who was born on 29 February completes a year on 1 March of other years. */
export function ageOn(today: string, dateOfBirth: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}
