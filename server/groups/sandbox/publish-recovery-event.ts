import { Problem } from '../../http/problem.ts';
import { simulateEvent } from '../funds-recovery/index.ts';
import { sandboxTime } from './clock.ts';
import type { Effect, Simulating } from './simulate.ts';
import type { SimulationRequest } from './simulation-request.ts';

type Request = Extract<SimulationRequest, { type: 'funds_recovery_event' }>;

/** One more event in the sandbox feed, by the sandbox's clock. */
export async function publishRecoveryEvent({ tx, simulationId, visible, now }: Simulating, { fundsRecoveryId, eventType }: Request): Promise<Effect[]> {
  if (fundsRecoveryId !== null && !visible.includes('sandbox')) throw new Problem('not_found');
  const result = await simulateEvent(tx, { simulationId, fundsRecoveryId, eventType, at: await sandboxTime(tx, now) });
  switch (result.outcome) {
    case 'live': throw new Problem(visible.includes('live') ? 'target_is_live' : 'not_found');
    case 'unknown': throw new Problem('not_found');
    case 'ended': throw new Problem('validation_failed', {
      errors: [{ pointer: '/target/id', code: 'ended', message: 'the recovery has ended, so that nothing follows; name an eventType to publish it all the same' }],
    });
    case 'published': return [{
      resource: { type: 'funds_recovery', id: result.fundsRecoveryId }, change: `${result.eventType}, status ${result.status}`,
    }];
  }
}
