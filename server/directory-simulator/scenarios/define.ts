import type { ExpiryPolicy, OpenRecovery, Pace, Role } from '../core/command.ts';
import { cents } from '../core/money.ts';
import { delays, hop, refundSoon } from './parts.ts';
import type { RunOptions, Scenario } from './scenario.ts';
import { seenBy, sequence } from './sequence.ts';

type Course = Pick<OpenRecovery, 'tracking' | 'delays' | 'hops' | 'plan'>;

interface Definition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly roles?: readonly Role[];
  readonly onTimeout?: ExpiryPolicy;
  readonly expected: string;
  /** What differs from the plainest course: one report, no tracking, agreement, a refund asked for in time. */
  readonly course?: (pace: Pace) => Partial<Course>;
}

/** Below it the parts of a loss are too small to be told apart. */
export const leastAmount = '1.00';

export function scenario({ course = () => ({}), roles = ['SENT', 'RECEIVED'], onTimeout = 'NONE', expected, ...named }: Definition): Scenario {
  const events = sequence(expected);
  return {
    ...named, roles, onTimeout,
    expected: (role) => seenBy(role, events),
    open: (options) => {
      check(options, roles);
      const { pace, runId, role, amount, situation } = options;
      return {
        type: 'OPEN_RECOVERY', runId, scenario: named.name, role, amount, situation, pace, onTimeout: options.onTimeout ?? onTimeout,
        tracking: 'NONE', delays: delays(pace), hops: [hop(pace, 'A')], plan: [refundSoon(pace)], ...course(pace),
      };
    },
  };
}

function check({ amount, role }: RunOptions, roles: readonly Role[]): void {
  if (cents(amount) < cents(leastAmount)) throw new RangeError(`The amount is at least ${leastAmount}`);
  if (!roles.includes(role)) throw new RangeError(`The role is one of ${roles.join(', ')}`);
}
