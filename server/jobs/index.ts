export { jobs } from './list.ts';
export { JobMetrics } from './metrics.ts';
export { Scheduler } from './scheduler.ts';
