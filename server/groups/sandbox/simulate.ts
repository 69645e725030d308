import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { advanceClock } from './advance-clock.ts';
import { letDocumentsExpire } from './let-documents-expire.ts';
import { publishRecoveryEvent } from './publish-recovery-event.ts';
import { lockSimulations } from './simulation-lock.ts';
import type { SimulationRequest } from './simulation-request.ts';

export type Effect = components['schemas']['SimulationEffect'];

export interface Simulating {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly simulationId: string;
  /** Where the caller sees records. */
  readonly visible: readonly Environment[];
  readonly now: Date;
}

/** Makes it happen, and tells what has changed. */
export async function simulate(ctx: Simulating, request: SimulationRequest): Promise<Effect[]> {
  await lockSimulations(ctx.tx);
  switch (request.type) {
    case 'advance_clock': return advanceClock(ctx, { seconds: request.seconds, pointer: '/parameters/seconds' });
    case 'document_expiry': return letDocumentsExpire(ctx, request.target);
    case 'funds_recovery_event': return publishRecoveryEvent(ctx, request);
  }
}
