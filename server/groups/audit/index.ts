export { AuditAlarm } from './alarm.ts';
export { checkpointDueTenants } from './checkpoint-due.ts';
export { audit } from './handlers.ts';
