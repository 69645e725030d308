export { users } from './handlers.ts';
export { findUser } from './store.ts';
export { countSeatsTaken, findMemberId, lockSeatTerms, updateMember } from './store.ts';
export type { UserRecord } from './member.ts';
