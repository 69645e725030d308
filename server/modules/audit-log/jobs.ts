import { MINUTE_SECONDS } from '../../base/time.ts';
import type { Job, JobServices } from '../../tasks/job.ts';
import { type CheckpointDependencies, checkpointDueTenants } from './checkpoints.ts';

export const jobs: readonly Job<JobServices & CheckpointDependencies>[] = [
  { name: 'audit.checkpoint', everySeconds: MINUTE_SECONDS, run: ({ services, signal }) => checkpointDueTenants(services, signal) },
];
