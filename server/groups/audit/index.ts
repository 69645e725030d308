export { audit } from './handlers.ts';
