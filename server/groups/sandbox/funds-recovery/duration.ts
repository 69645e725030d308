import { Problem } from '../../../http/problem.ts';

const day = 86_400;
/** Longer than any limit of a recovery, and a retention of a year besides. */
const mostSeconds = 400 * day;

/** Seconds of an ISO 8601 duration of days, hours, minutes and seconds, as the contract has checked it. */
export function secondsOf(duration: string): number {
  const { days = '0', hours = '0', minutes = '0', seconds = '0' } =
    /^P(?:(?<days>\d+)D)?(?:T(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+)S)?)?$/.exec(duration)?.groups ?? {};
  const sum = Number(days) * day + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  if (sum >= 1 && sum <= mostSeconds) return sum;
  throw new Problem('validation_failed', { errors: [{ pointer: '/by', code: 'range', message: 'must be from one second to 400 days' }] });
}
