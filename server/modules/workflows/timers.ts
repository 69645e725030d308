/** The due of workflows: the clock of the service, or of a sandbox, lets timers fire. */
import type { Due } from '../../tasks/due.ts';
import { Stale } from '../../workflow/kernel/step.ts';
import { advance } from './advance.ts';
import { lockInstance } from './instance-store.ts';
import { dueTimers, takeTimer, tenantsWithDueTimers, TIMERS_AT_ONCE } from './waiting-store.ts';

type Timer = Awaited<ReturnType<typeof dueTimers>>[number];

/** Sorts timers by their instances. Those of one instance keep their order. */
const byInstance = ({ instanceId: one }: Timer, { instanceId: other }: Timer): number =>
  Number(one > other) - Number(one < other);

/** Fires the timers of instances that are due, tenant by tenant. */
export const timersDue: Due = {
  name: 'workflows.timers',
  // 0.8 s plus 10 % jitter is below one second. A long round of another job delays timers further (decision 152).
  everySeconds: 0.8,
  tenants: tenantsWithDueTimers,
  atOnce: TIMERS_AT_ONCE,
  run: async (tx, { environment, businessTime: at, now }) => {
    const due = await dueTimers(tx, environment, at);
    // Everybody who locks several instances does so by their ids, so that nobody waits in a circle.
    for (const timer of due.toSorted(byInstance)) {
      const { instanceId, subscription } = timer;
      // Pipelined: the timer is looked at again under the lock. The job and a move of the clock may both have found it,
      // and one that repeats already waits for its next time by then.
      const [instance, isTaken] = await Promise.all([lockInstance(tx, instanceId), takeTimer(tx, timer, at)]);
      if (instance?.status !== 'active' || !isTaken) continue;
      const command = { do: 'fire', subscription, variables: {} } as const;
      // An earlier timer of this batch may have ended what waited for this one.
      await advance(tx, instance, command, { at, now }).catch((failure: unknown) => {
        if (!(failure instanceof Stale)) throw failure;
      });
    }
    return due.map(({ instanceId }) => ({
      resource: { type: 'workflow_instance', id: instanceId },
      change: 'a timer fired',
    }));
  },
};
