export { users } from './handlers.ts';
export { countSeatsTaken } from './store/members.ts';
