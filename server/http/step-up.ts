import type { UserPrincipal } from '../contract/principal.ts';
import type { Caller } from './caller.ts';
import type { Exchange } from './exchange.ts';
import { Problem } from './problem.ts';

interface Origin {
  readonly requestId: string;
  readonly clientIp: string;
  readonly userAgent: string;
  readonly now: Date;
}

/**
 * True when the code is right and unused, or none is given and the session gave one shortly before. A wrong one counts
 * towards the lock-out. It does its own transactions: what it uses up is used up whatever becomes of the request.
 */
export type VerifyStepUp = (principal: UserPrincipal, code: string | undefined, origin: Origin) => Promise<boolean>;

/** Missing, wrong and replayed codes are told apart to nobody. */
export async function requireStepUp(verify: VerifyStepUp, { requestId, clientIp, userAgent }: Exchange, { principal }: Caller, code: unknown, now: Date): Promise<void> {
  if (principal.kind !== 'user') throw new Problem('human_required');
  const given = await verify(principal, typeof code === 'string' ? code : undefined, { requestId, clientIp, userAgent, now });
  if (!given) throw new Problem('step_up_required');
}
