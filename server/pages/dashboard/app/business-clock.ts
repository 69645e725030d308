import { api, type Schemas } from './api.ts';
import { useCurrent, useMay } from './current.tsx';
import { type Format, useFormat } from '../ui/format.ts';

/** How often the clock of the sandbox is read while a page is open: somebody may move it elsewhere. */
const READ_MS = 30_000;

/** By how much the clock of an environment is ahead of real time, in milliseconds: in the sandbox people move it. */
export function useAhead(environment: Schemas['Environment'], refetchInterval = READ_MS): number {
  const may = useMay();
  const { data } = api.useQuery('get', '/v1/sandbox', {}, { enabled: environment === 'sandbox' && may('getSandbox'), refetchInterval });
  return environment === 'sandbox' ? (data?.clock.offsetSeconds ?? 0) * 1000 : 0;
}

/** How times of records are written: beside the clock of the environment that they belong to, so that what has happened in a sandbox is past there, too. */
export function useRecordFormat(environment?: Schemas['Environment']): Format {
  const { environment: effective } = useCurrent();
  return useFormat(useAhead(environment ?? effective));
}
