/**
 * Activation of a definition by two people: the request, and its end by the second person's verdict. Offered, through
 * the index, to the module that owns the kind of document. Both people confirm the same digest of document and test
 * results; if either changed, the request is stale and the version becomes a draft again.
 */
import type { RealTime } from '../../base/time.ts';
import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { AnyPrincipal, UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { requestReview, review } from '../second-review/index.ts';
import { activate, refusalOf } from './definitions.ts';
import {
  type Activation,
  type Definition,
  findActivation,
  insertActivation,
  lockDefinition,
  setStatus,
} from './store.ts';

interface ActivationRequest {
  /** Checksum of the document that the maker has read. */
  readonly checksum: string;
  /** Results of the tests of this document. */
  readonly evidence: Json;
  readonly maker: AnyPrincipal;
  readonly now: RealTime;
}

/** Returns the digest that maker and checker confirm: of the document and of the results of its tests. */
export function activationDigest(checksum: string, evidence: Json): string {
  return `sha256:${createHash('sha256').update(canonicalJson({ checksum, evidence })).digest('hex')}`;
}

/** Requests the activation of a draft, which a second person confirms or returns. Its document is final from now on. */
export async function requestActivation(
  tx: Transaction,
  definitionId: string,
  { checksum, evidence, maker, now }: ActivationRequest,
): Promise<Activation> {
  const found = await lockDefinition(tx, definitionId);
  if (found === null) throw new Problem('not_found');
  if (found.status !== 'draft') throw refusalOf(found);
  if (found.checksum !== checksum) throw new Problem('evidence_changed');
  const { environment } = found;
  const row = {
    id: uuidv7(),
    environment,
    definitionId,
    checksum,
    evidence,
    createdAt: now,
  };
  insertActivation(tx, { ...row, tenantId: tx.tenantId! });
  await requestReview(tx, {
    environment,
    subject: { type: 'activation', id: row.id },
    digest: activationDigest(checksum, evidence),
    maker,
    now,
  });
  await setStatus(tx, found, 'pending_activation', now);
  return (await findActivation(tx, row.id))!;
}

interface ActivationReview {
  readonly verdict: 'confirm' | 'return';
  /** Digest of the document and the evidence that the checker has read. */
  readonly digest: string;
  readonly note: string | null;
  /** Results of the tests that are valid now. */
  readonly evidence: Json;
  readonly checker: UserPrincipal;
  readonly now: RealTime;
}

export interface ActivationOutcome {
  /**
   * If it is `stale`, the version is a draft again, and the caller answers `evidence_changed` and keeps this change.
   */
  readonly outcome: 'confirmed' | 'returned' | 'stale';
  readonly definition: Definition;
}

/** Ends a requested activation by the verdict of a second person. */
export async function reviewActivation(
  tx: Transaction,
  activationId: string,
  { evidence, checker, now, ...verdict }: ActivationReview,
): Promise<ActivationOutcome> {
  const activation = await findActivation(tx, activationId);
  if (activation === null) throw new Problem('not_found');
  const definition = (await lockDefinition(tx, activation.definitionId))!;
  const current = activationDigest(definition.checksum, evidence);
  const outcome = await review(tx, { type: 'activation', id: activationId }, current, { ...verdict, checker, now });
  if (outcome === 'not_pending') throw refusalOf(definition);
  if (outcome === 'unread') throw new Problem('evidence_changed', { currentDigest: current });
  if (outcome === 'confirmed') await activate(tx, definition, now);
  else await setStatus(tx, definition, 'draft', now);
  return { outcome, definition: (await lockDefinition(tx, definition.id))! };
}
