export { sandbox } from './handlers.ts';
