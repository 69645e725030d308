import { MINUTE_SECONDS } from '../../base/time.ts';
import type { Job, JobServices } from '../../tasks/job.ts';
import type { ListFetcher } from './fetch-lists.ts';

export const jobs: readonly Job<JobServices & { readonly listFetcher: ListFetcher }>[] = [
  { name: 'lists.fetch', everySeconds: MINUTE_SECONDS, run: ({ services: { listFetcher, clock }, signal }) => listFetcher.fetchDue(clock(), signal) },
];
