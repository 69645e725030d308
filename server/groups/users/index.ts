export { users } from './handlers.ts';
