export { admin } from './handlers.ts';
export { addAdministrator, removeAdministrator, resetAdministrator, type Outside } from './staff.ts';
