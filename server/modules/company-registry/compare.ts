/**
 * Brings the stored differences of a business up to date with its latest answer and its latest owners. Called after an
 * answer and, as a listener, after a new version of the owners. A difference that there was before keeps its row and
 * its resolution; one that is gone ends.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { uuidv7 } from '../../base/uuid.ts';
import { canonicalJson } from '../../base/canonical-json.ts';
import type { Transaction } from '../../database/index.ts';
import type { RegistryFinding } from '../../providers/business-registry/index.ts';
import type { Business } from '../businesses/index.ts';
import { latestGraph } from '../ownership/index.ts';
import { publish, type When } from '../subject-events/index.ts';
import { openedRow, sealedRow } from '../subject-keys/index.ts';
import { type Difference, differencesOf } from './differences.ts';
import { type DifferenceRow, endDifferences, insertDifference, listDifferences, registryDifference } from './store.ts';

/**
 * Compares again, and returns the differences that there are now, opened. The caller must hold the lock on the
 * business.
 */
export async function compareAgain(
  tx: Transaction,
  business: Business,
  finding: RegistryFinding,
  { key, at, now }: { readonly key: KeyObject } & When,
): Promise<DifferenceRow[]> {
  const { graph } = await latestGraph(tx, business.id);
  const stored = (await listDifferences(tx, business.id)).map((row) => openedRow(registryDifference, row, key));
  const found = differencesOf(business, graph, finding).map((one) => ({ ...one, contentHash: hashOf(one, key) }));
  const current = found.map(
    ({ contentHash, ...one }): DifferenceRow =>
      stored.find((row) => row.contentHash === contentHash) ?? {
        id: uuidv7(),
        environment: business.environment,
        businessId: business.id,
        ...one,
        contentHash,
        resolution: null,
        note: null,
        resolvedAt: null,
        resolvedBy: null,
        createdAt: at.toISOString(),
      },
  );
  for (const row of current) if (!stored.includes(row)) insertDifference(tx, sealedRow(registryDifference, row, key));
  const gone = stored.filter((row) => !current.includes(row)).map(({ id }) => id);
  endDifferences(tx, business.id, gone, at);
  await publishGrave(tx, business, current, { at, now });
  // In the order in which the list shows them: a difference that stays comes before a newer one.
  return current.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Publishes the grave differences that nobody has resolved, if there are some. */
async function publishGrave(
  tx: Transaction,
  { id, environment }: Business,
  current: readonly DifferenceRow[],
  when: When,
): Promise<void> {
  const grave = current.filter(({ severity, resolution }) => severity === 'high' && resolution === null);
  if (grave.length === 0) return;
  await publish(tx, {
    type: 'registry.differs',
    subject: { kind: 'business', id },
    environment,
    differenceIds: grave.map((one) => one.id),
    ...when,
  });
}

/** Keyed by the key of the business, because a plain hash of a name could be guessed. */
function hashOf(difference: Difference, key: KeyObject): string {
  return createHmac('sha256', key)
    .update(canonicalJson({ ...difference }))
    .digest('hex');
}
