export { fundsRecovery } from './handlers.ts';
export { publishEvents } from './publish.ts';
export type { NewEvent } from './publish.ts';
