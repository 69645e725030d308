export { admin } from './handlers.ts';
export { addAdministrator, removeAdministrator, resetAdministrator, type Added, type Outside } from './staff.ts';
