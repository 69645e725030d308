/**
 * Asks the registry about a business and stores what it answers, with the differences from what is declared. Called by
 * the handler and, through the index, by processes, monitoring and simulations.
 */
import { createHash } from 'node:crypto';
import { appendAudit } from '../../audit/chain.ts';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import type { RealTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { AuditAction } from '../../contract/generated/audit-actions.ts';
import type { components } from '../../contract/generated/types.ts';
import { type Acting, actorOf } from '../../contract/operation.ts';
import { Problem, unavailable } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { RegistryError, type RegistryFinding, registryFor } from '../../providers/business-registry/index.ts';
import type { AuditedResource } from '../../request/handler.ts';
import type { Access } from '../../request/lookup.ts';
import type { BusinessClocks } from '../../rules/brazilian-calendar.ts';
import { assertNotClosed, auditInvalidated, type Business, reviewAgain } from '../businesses/index.ts';
import { publish, type When } from '../subject-events/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { compareAgain } from './compare.ts';
import { lookup } from './lookup.ts';
import { simulatedChanges, withChanges } from './simulated-store.ts';
import { type AnswerRow, type DifferenceRow, insertAnswer, latestAnswer, registryAnswer } from './store.ts';

interface Asking extends Access, BusinessClocks {
  readonly principal: Acting;
  readonly now: RealTime;
}

interface Finding extends RegistryFinding {
  readonly source: string;
}

/**
 * Asks the registry of the environment. Returns null if there is none. A registry that does not answer is unavailable,
 * and nothing is stored.
 */
async function ask(tx: Transaction, { id, environment, registration, legalName }: Business): Promise<Finding | null> {
  const registry = registryFor(environment);
  if (registry === null) return null;
  try {
    const found = await registry.find({ number: registration.number, legalName });
    const finding = environment === 'sandbox' ? withChanges(found, await simulatedChanges(tx, id)) : found;
    return { source: registry.source, ...finding };
  } catch (error) {
    if (error instanceof RegistryError) throw unavailable('dependency_unavailable');
    throw error;
  }
}

interface Answered {
  readonly answer: AnswerRow;
  readonly differences: DifferenceRow[];
}

type By = When & { readonly by: components['schemas']['Actor'] };

/** Stores an answer, compares it with what is declared, and publishes it. The caller holds the lock on the business. */
async function store(
  tx: Transaction,
  business: Business,
  { source, ...finding }: Finding,
  { by, at, now }: By,
): Promise<Answered> {
  const { id: businessId, environment } = business;
  const answer: AnswerRow = {
    id: uuidv7(),
    environment,
    businessId,
    source,
    situation: finding.situation,
    state: finding.state,
    city: finding.city,
    finding: JSON.stringify(finding),
    contentHash: hashOf(finding),
    createdAt: at.toISOString(),
    createdBy: by,
  };
  const key = await sealingKey(tx, { type: 'business', id: businessId }, { environment, now: at });
  insertAnswer(tx, sealedRow(registryAnswer, answer, key));
  const differences = await compareAgain(tx, business, finding, { key, at, now });
  const subject = { kind: 'business', id: businessId } as const;
  await publish(tx, {
    type: 'registry.answered',
    subject,
    environment,
    at,
    now,
  });
  return { answer, differences };
}

function hashOf(finding: RegistryFinding): string {
  return createHash('sha256')
    .update(canonicalJson(finding as unknown as Json), 'utf8')
    .digest('hex');
}

/** Locks the business, asks, stores, and returns a decision that waits to review; `audit` is told of the latter. */
export async function askRegistry(
  ctx: Asking,
  id: string,
  audit: Parameters<typeof auditInvalidated>[0],
): Promise<Answered & { readonly business: Business }> {
  const { tx, principal } = ctx;
  const business = await lookup(ctx).business(id).forChange();
  assertNotClosed(business.status);
  const finding = await ask(tx, business);
  if (finding === null) throw new Problem('provider_not_configured');
  const at = ctx.timeIn(business.environment);
  const answered = await store(tx, business, finding, { by: actorOf(principal), at, now: ctx.now });
  const invalidated = await reviewAgain(ctx, business);
  if (invalidated !== null) auditInvalidated(audit, invalidated, business.id);
  return { business, ...answered };
}

/**
 * Asks the registry again without a request, and stores the answer if it is another than the last one: an answer that
 * says the same is no new evidence. Returns whether there is a registry, and the new answer. The caller holds the lock
 * on the business.
 */
export async function askAgain(
  tx: Transaction,
  business: Business,
  who: By,
): Promise<{ readonly isAsked: boolean; readonly answer: AnswerRow | null }> {
  const finding = await ask(tx, business);
  if (finding === null) return { isAsked: false, answer: null };
  const { source, ...said } = finding;
  const last = await latestAnswer(tx, business.id);
  if (last !== null && last.source === source && last.contentHash === hashOf(said))
    return { isAsked: true, answer: null };
  const { answer, differences } = await store(tx, business, finding, who);
  const audit = auditBy(tx, business, who);
  audit('registry.fetched', ...fetchedEvent(answer, differences));
  const invalidated = await reviewAgain({ tx, timeIn: () => who.at }, business);
  if (invalidated !== null) auditInvalidated(audit, invalidated, business.id);
  return { isAsked: true, answer };
}

/** Returns a writer of audit events by whoever asks without a request. */
function auditBy(tx: Transaction, { environment }: Business, { by, now }: By) {
  return <A extends AuditAction>(action: A, resource: AuditedResource<A>, changes: object = {}): void =>
    appendAudit(tx, {
      occurredAt: now.toISOString(),
      environment,
      actor: { ...by, impersonatorId: null },
      action,
      resource,
      outcome: 'success',
      changes: Object.entries(changes).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
    });
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
