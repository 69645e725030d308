/**
 * Asks the registry about a business and stores what it answers, with the differences from what is declared. Called by
 * the handler and, through the index, by processes.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import type { RealTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { type Acting, actorOf } from '../../contract/operation.ts';
import { Problem, unavailable } from '../../contract/problem.ts';
import { RegistryError, type RegistryFinding, registryFor } from '../../providers/business-registry/index.ts';
import type { Access } from '../../request/lookup.ts';
import type { BusinessClocks } from '../../rules/brazilian-calendar.ts';
import { assertNotClosed, auditInvalidated, type Business, reviewAgain } from '../businesses/index.ts';
import { publish } from '../subject-events/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { compareAgain } from './compare.ts';
import { lookup } from './lookup.ts';
import { type AnswerRow, type DifferenceRow, insertAnswer, registryAnswer } from './store.ts';

interface Asking extends Access, BusinessClocks {
  readonly principal: Acting;
  readonly now: RealTime;
}

/** A registry that does not answer is unavailable, and nothing is stored. */
async function ask({ environment, registration, legalName }: Business): Promise<{ source: string } & RegistryFinding> {
  const registry = registryFor(environment);
  if (registry === null) throw new Problem('provider_not_configured');
  try {
    return { source: registry.source, ...(await registry.find({ number: registration.number, legalName })) };
  } catch (error) {
    if (error instanceof RegistryError) throw unavailable('dependency_unavailable');
    throw error;
  }
}

/** Locks the business, asks, stores, and returns a decision that waits to review; `audit` is told of the latter. */
export async function askRegistry(
  ctx: Asking,
  id: string,
  audit: Parameters<typeof auditInvalidated>[0],
): Promise<{ readonly business: Business; readonly answer: AnswerRow; readonly differences: DifferenceRow[] }> {
  const { tx, principal } = ctx;
  const business = await lookup(ctx).business(id).forChange();
  assertNotClosed(business.status);
  const { source, ...finding } = await ask(business);
  const { id: businessId, environment } = business;
  const at = ctx.timeIn(environment);
  const answer: AnswerRow = {
    id: uuidv7(),
    environment,
    businessId,
    source,
    situation: finding.situation,
    state: finding.state,
    city: finding.city,
    finding: JSON.stringify(finding),
    contentHash: createHash('sha256')
      .update(canonicalJson(finding as unknown as Json), 'utf8')
      .digest('hex'),
    createdAt: at.toISOString(),
    createdBy: actorOf(principal),
  };
  const key = await sealingKey(tx, { type: 'business', id: businessId }, { environment, now: at });
  insertAnswer(tx, sealedRow(registryAnswer, answer, key));
  const differences = await compareAgain(tx, business, finding, { key, at, now: ctx.now });
  const subject = { kind: 'business', id: businessId } as const;
  await publish(tx, {
    type: 'registry.answered',
    subject,
    environment,
    at,
    now: ctx.now,
  });
  const invalidated = await reviewAgain(ctx, business);
  if (invalidated !== null) auditInvalidated(audit, invalidated, businessId);
  return { business, answer, differences };
}

/** Returns what the audit log records of an answer. */
export function fetchedEvent({ id, businessId, source, situation }: AnswerRow, differences: readonly DifferenceRow[]) {
  return [
    { type: 'registry_answer', id },
    {
      businessId,
      source,
      situation,
      differences: differences.length,
    },
  ] as const;
}
