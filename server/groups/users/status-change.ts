import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../http/problem.ts';
import type { UserRecord, UserStatus } from './user.ts';

type Wanted = Pick<components['schemas']['UserUpdate'], 'status' | 'unlock'>;

export type StatusChange = 'deactivate' | 'reactivate' | 'unlock' | null;

/** What may be asked for by status or `unlock`. Invited people become active by coming. */
const ALLOWED: Readonly<Record<UserStatus, readonly UserStatus[]>> = {
  invited: ['deactivated'], active: ['deactivated'], locked: ['active', 'deactivated'], deactivated: ['active'],
};

/** What a patch does to the status; null when it asks for what is. */
export function statusChange(user: Pick<UserRecord, 'status' | 'joined'>, { status, unlock }: Wanted): StatusChange {
  const here = user.status === 'active' || user.status === 'locked';
  if (unlock === true && (!here || status === 'deactivated')) throw refusal(user);
  if (status === 'deactivated') return user.status === 'deactivated' ? null : 'deactivate';
  if (unlock === true) return 'unlock';
  if (status === undefined || user.status === 'active') return null;
  if (user.status === 'locked') return 'unlock';
  // Who never came has to accept an invitation first.
  if (user.status === 'invited' || !user.joined) throw refusal(user);
  return 'reactivate';
}

function refusal({ status, joined }: Pick<UserRecord, 'status' | 'joined'>): Problem {
  return new Problem('invalid_state_transition', {
    currentStatus: status, allowedTransitions: status === 'deactivated' && !joined ? ['invited'] : ALLOWED[status],
  });
}
