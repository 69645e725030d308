export { fundsRecovery } from './handlers.ts';
export { publishEvents } from './publish.ts';
export type { NewEvent } from './publish.ts';
export { simulateEvent } from './simulate.ts';
export * from './health/index.ts';
export * from './ingestion/index.ts';
export * from './retention/index.ts';
