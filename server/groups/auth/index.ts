export { auth } from './handlers.ts';
export { purgeThrottle } from './purge-throttle.ts';
export { addMember, createUser, type NewUser } from './register.ts';
export { record, type Origin } from './record.ts';
