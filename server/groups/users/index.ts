export { users } from './handlers.ts';
export { findUser } from './store/find.ts';
export { countSeatsTaken, findMemberId, lockTerms, updateMember } from './store/members.ts';
export type { UserRecord } from './user.ts';
