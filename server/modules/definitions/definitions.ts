/**
 * Life of the versions of a definition: drafts, revisions, activation and retirement. Used by activation.ts and
 * offered, through the index, to the module that owns the kind of document. Only a draft can change. An advisory lock
 * on the name keeps two versions from becoming active at the same time.
 */
import type { RealTime } from '../../base/time.ts';
import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import { assertMatch } from '../../request/preconditions.ts';
import {
  activeDefinition,
  type Definition,
  type DefinitionName,
  type DefinitionStatus,
  insertDefinition,
  lockDefinition,
  nextNumber,
  replaceDocument,
  setStatus,
} from './store.ts';

interface NewDefinition extends DefinitionName {
  readonly document: Json;
  readonly createdBy: components['schemas']['Actor'];
  readonly now: RealTime;
}

/** Returns the SHA-256 of the canonical form of a document (RFC 8785), in hexadecimal digits. */
export function checksumOf(document: Json): string {
  return createHash('sha256').update(canonicalJson(document)).digest('hex');
}

/** Creates the next version under a name as a draft. */
export function createDraft(tx: Transaction, definition: NewDefinition): Promise<Definition> {
  return create(tx, definition, 'draft');
}

/** Version that is shipped with the service, under an id that follows from its name. */
interface ShippedDefinition extends NewDefinition {
  readonly id?: string;
}

/**
 * Creates a version that is active without a review, which only the versions shipped with the service are. The name
 * must have no active version.
 */
export function createActive(tx: Transaction, definition: ShippedDefinition): Promise<Definition> {
  return create(tx, definition, 'active');
}

async function create(
  tx: Transaction,
  { now, document, ...given }: ShippedDefinition,
  status: 'draft' | 'active',
): Promise<Definition> {
  const { environment, kind, key, id = uuidv7() } = given;
  const name = { environment, kind, key };
  lockName(tx, name);
  const row = {
    ...given,
    id,
    number: await nextNumber(tx, name),
    status,
    document,
    checksum: checksumOf(document),
    createdAt: now,
    updatedAt: now,
  };
  insertDefinition(tx, { ...row, tenantId: tx.tenantId!, activatedAt: status === 'active' ? now : null });
  return (await lockDefinition(tx, row.id))!;
}

const TRANSITIONS: Readonly<Record<DefinitionStatus, readonly DefinitionStatus[]>> = {
  draft: ['pending_activation', 'retired'],
  pending_activation: ['active', 'draft'],
  active: ['retired'],
  retired: [],
};

/** Returns the refusal of a change that the status of the definition does not allow. */
export function refusalOf({ status }: Definition): Problem<'invalid_state_transition'> {
  return new Problem('invalid_state_transition', { currentStatus: status, allowedTransitions: TRANSITIONS[status] });
}

/** Keeps other versions under the name from being created or activated until the end of the transaction. */
export function lockName(tx: Transaction, { environment, kind, key }: DefinitionName): void {
  void lockUntilCommit(tx, 'definition', `${tx.tenantId} ${environment} ${kind} ${key}`);
}

interface Revision {
  /** The new document, or what derives it from the draft after its lock, so that no change made meanwhile is lost. */
  readonly document: Json | ((draft: Definition) => Json);
  readonly ifMatch: string | undefined;
  readonly now: RealTime;
}

/** Replaces the document of a draft. A version that is not a draft never changes. */
export async function reviseDraft(
  tx: Transaction,
  id: string,
  { document, ifMatch, now }: Revision,
): Promise<Definition> {
  const found = await lockDefinition(tx, id);
  if (found === null) throw new Problem('not_found');
  assertMatch(ifMatch, found.version);
  if (found.status !== 'draft') throw refusalOf(found);
  const revised = typeof document === 'function' ? document(found) : document;
  replaceDocument(tx, id, { document: revised, checksum: checksumOf(revised) }, now);
  return (await lockDefinition(tx, id))!;
}

/** Takes a version out of use, without another one in its place. A version that waits for review cannot be retired. */
export async function retire(tx: Transaction, id: string, now: RealTime): Promise<Definition> {
  const found = await lockDefinition(tx, id);
  if (found === null) throw new Problem('not_found');
  if (found.status !== 'draft' && found.status !== 'active') throw refusalOf(found);
  await setStatus(tx, found, 'retired', now);
  return (await lockDefinition(tx, id))!;
}

/** Makes a version the active one of its name, and retires the one before. */
export async function activate(tx: Transaction, definition: Definition, now: RealTime): Promise<void> {
  lockName(tx, definition);
  const before = await activeDefinition(tx, definition);
  if (before !== null) await setStatus(tx, before, 'retired', now);
  await setStatus(tx, definition, 'active', now);
}
