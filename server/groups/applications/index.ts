export { applications } from './handlers.ts';
export { sweepFiles } from './sweep-files.ts';
