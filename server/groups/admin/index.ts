export { admin } from './handlers.ts';
