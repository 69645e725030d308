/**
 * Verification of the stored log of a tenant by recomputing its hashes. Called by the handler of `verifyAuditLog`. It
 * is expensive, so few run at once (`rate_limited`) and the number of events is limited (`range_too_wide`). A failure
 * is recorded in two chains in transactions of their own, because the tenant's chain may no longer accept events.
 */
import type { AuditAlarm } from '../../audit/alarm.ts';
import { appendAudit } from '../../audit/chain.ts';
import type { AuditEvent } from '../../audit/store.ts';
import type { CheckpointSigner } from '../../audit/checkpoint.ts';
import { RangeTooWide, type Verification, verifyLog, type VerifyOptions } from '../../audit/verify-log.ts';
import type { Failure } from '../../audit/walk.ts';
import type { Logger } from '../../base/log.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { AuditChain, Database } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import type { Context } from '../../request/handler.ts';
import { hex } from './events.ts';

type VerificationRequest = Pick<
  Context<'verifyAuditLog'>,
  'principal' | 'now' | 'requestId' | 'clientIp' | 'userAgent'
> &
  Partial<Pick<Context<'verifyAuditLog'>, 'body'>>;

export interface VerifierDependencies {
  readonly database: Database;
  readonly auditAlarm: AuditAlarm;
  readonly log: Logger;
}

const MOST_EVENTS = 1_000_000;
/** Highest number of simultaneous verifications. Each occupies a connection of the request pool and a processor. */
const MOST_AT_ONCE = 2;
const RETRY_SECONDS = 5;

/**
 * Verifies one of the two logs of a tenant. Reports a failure to the platform as well as to the caller, in the log of
 * the same kind.
 */
export class LogVerifier {
  readonly #dependencies: VerifierDependencies;
  readonly #signer: CheckpointSigner;
  readonly #auditChain: AuditChain;
  readonly #running = new Set<string>();

  constructor(
    { database, auditAlarm, log }: VerifierDependencies,
    signer: CheckpointSigner,
    auditChain: AuditChain = 'open',
  ) {
    this.#dependencies = { database, auditAlarm, log };
    this.#signer = signer;
    this.#auditChain = auditChain;
  }

  async verify(ask: VerificationRequest): Promise<components['schemas']['AuditVerification']> {
    const { tenantId } = ask.principal;
    const { fromSequence, toSequence, trustedCheckpoint } = ask.body ?? {};
    if (fromSequence !== undefined && toSequence !== undefined && fromSequence > toSequence) {
      throw new Problem('validation_failed', {
        errors: [{ pointer: '/toSequence', code: 'minimum', message: 'must not be less than fromSequence' }],
      });
    }
    if (this.#running.has(tenantId) || this.#running.size >= MOST_AT_ONCE) {
      throw new Problem('rate_limited', {
        detail: 'Other verifications are running.',
        retryable: true,
        retryAfter: RETRY_SECONDS,
      });
    }
    this.#running.add(tenantId);
    try {
      const startedAt = performance.now();
      const found = await this.#walk({
        tenantId,
        auditChain: this.#auditChain,
        signer: this.#signer,
        fromSequence,
        toSequence,
        maxEvents: MOST_EVENTS,
        trusted: trustedCheckpoint && {
          treeSize: trustedCheckpoint.treeSize,
          rootHash: Buffer.from(trustedCheckpoint.rootHash, 'hex'),
        },
      });
      if (found.firstFailure !== null) await this.#report(ask, found.firstFailure);
      return toWire(found, Math.round(performance.now() - startedAt));
    } finally {
      this.#running.delete(tenantId);
    }
  }

  async #walk(order: VerifyOptions): Promise<Verification> {
    try {
      return await verifyLog(this.#dependencies.database, order);
    } catch (error) {
      if (error instanceof RangeTooWide)
        throw new Problem('range_too_wide', {
          detail: 'At most 1,000,000 events: set `fromSequence` and `toSequence`.',
        });
      throw error;
    }
  }

  /**
   * Records the failure in the platform's own chain and in the tenant's chain, each in a separate transaction, because
   * no event can be appended to a chain that is broken at its end, and the response must not depend on that.
   */
  async #report(ask: VerificationRequest, failure: Failure): Promise<void> {
    const { tenantId } = ask.principal;
    const { database, auditAlarm, log } = this.#dependencies;
    auditAlarm.raise(tenantId, failure);
    const auditChain = this.#auditChain;
    for (const owner of new Set([PLATFORM_TENANT_ID, tenantId])) {
      try {
        await database.platform({ tenantId: owner, auditChain }, async (tx) => appendAudit(tx, failed(ask, failure)));
      } catch (error) {
        log.error({ requestId: ask.requestId, tenantId: owner, err: error }, 'a verification could not be recorded');
      }
    }
  }
}

function failed(
  { principal, now, requestId, clientIp, userAgent }: VerificationRequest,
  { sequence, kind }: Failure,
): AuditEvent {
  return {
    occurredAt: now.toISOString(),
    environment: 'live',
    action: 'audit.verification_failed',
    outcome: 'failed',
    reason: kind,
    actor: { ...actorOf(principal), impersonatorId: null },
    resource: { type: 'audit_log', id: principal.tenantId },
    requestId,
    ip: clientIp,
    userAgent,
    changes: [{ op: 'add', path: '/sequence', value: sequence }],
  };
}

function toWire(
  { firstFailure, checked, checkpointsChecked, head, covered }: Verification,
  durationMs: number,
): components['schemas']['AuditVerification'] {
  return {
    valid: firstFailure === null,
    checked,
    checkpointsChecked,
    firstFailure: firstFailure && { ...firstFailure },
    head: { sequence: head.sequence, hash: hex(head.hash), checkpointedSequence: covered },
    durationMs,
  };
}
