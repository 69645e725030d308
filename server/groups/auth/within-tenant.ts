export { withinTenant } from '../../database/index.ts';
