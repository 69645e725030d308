export { oauth } from './handlers.ts';
