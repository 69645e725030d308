/**
 * The clock of the sandbox, which may run ahead of real time. Used by pages that show times of records. A user who may
 * not read the sandbox sees real time.
 */
import { api, type Schemas } from './api.ts';
import { useCurrent, useMay } from './current.tsx';
import { type Format, useFormat } from '../ui/format.ts';

/** Interval at which an open page reads the sandbox clock, because it may be moved elsewhere. */
const READ_MS = 30_000;

/**
 * Returns how far the clock of an environment is ahead of real time, in milliseconds. Only the sandbox clock can be
 * moved.
 */
export function useAhead(environment: Schemas['Environment'], refetchInterval = READ_MS): number {
  const may = useMay();
  const { data } = api.useQuery(
    'get',
    '/v1/sandbox',
    {},
    { enabled: environment === 'sandbox' && may('getSandbox'), refetchInterval },
  );
  return environment === 'sandbox' ? (data?.clock.offsetSeconds ?? 0) * 1000 : 0;
}

/**
 * Returns the format for times of records, relative to the clock of their environment, so that past events of a sandbox
 * are shown as past.
 */
export function useRecordFormat(environment?: Schemas['Environment']): Format {
  const { environment: effective } = useCurrent();
  return useFormat(useAhead(environment ?? effective));
}
