/**
 * Whether a file can be the next version of its list, and whether its changes need a confirmation. Used by imports. Too
 * lenient checks let a truncated file remove sanctioned people; a confirmation never overrides `assertPlausible`.
 */
import { DAY_MILLISECONDS } from '../../base/time.ts';
import { watchListOf } from './catalogue.ts';
import type { Candidate, Counts, ImportOrder } from './import-order.ts';
import type { ListVersion } from './store.ts';

/** Why a readable file does not become the active version. */
export type Refusal =
  | 'checksum_mismatch'
  | 'version_exists'
  | 'not_yet_published'
  | 'published_otherwise'
  | 'older_than_active'
  | 'too_few_entries'
  | 'suspicious_shrink';

/** Thrown if a file is refused. Nothing has changed, and the active version stays. */
export class ListRefused extends Error {
  override readonly name = 'ListRefused';
  readonly reason: Refusal;

  constructor(reason: Refusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The import removes or changes too many entries and has not been confirmed. */
export class SuspiciousShrink extends ListRefused {
  readonly candidate: Candidate;

  constructor(message: string, candidate: Candidate) {
    super('suspicious_shrink', message);
    this.candidate = candidate;
  }
}

/**
 * Largest share of entries that an import may remove without a confirmation. Publishers remove few entries at once, so
 * a file that lacks more is more often broken than right.
 */
const MOST_LOST = 0.05;
/**
 * Largest share of removed and changed entries, because a file that renames everyone matches nobody, as if all had been
 * removed.
 */
const MOST_CHANGED = 0.1;

/** Rejects a file that cannot be the next version of its list, whatever anybody confirms. */
export function assertPlausible(
  { environment, listId, mayBeOlder = false, now }: ImportOrder,
  active: ListVersion | null,
  { entryCount }: Counts,
  publishedOn: string | null,
): void {
  // Allows one day for time zones ahead of UTC.
  const tomorrow = new Date(now.getTime() + DAY_MILLISECONDS).toISOString().slice(0, 10);
  const { fewestEntries } = watchListOf(listId);
  // The lists of the sandbox are invented and have only a few entries.
  if (environment === 'live' && entryCount < fewestEntries)
    throw new ListRefused(
      'too_few_entries',
      `the file has ${entryCount} entries, and ${listId} never had fewer than ${fewestEntries}`,
    );
  // A wrong year would make every later file an older one.
  if (publishedOn !== null && publishedOn > tomorrow)
    throw new ListRefused(
      'not_yet_published',
      `the file says that it was published on ${publishedOn}, which is still to come`,
    );
  if (active === null) return;
  if (
    environment === 'live' &&
    !mayBeOlder &&
    publishedOn !== null &&
    active.publishedOn !== null &&
    publishedOn < active.publishedOn
  ) {
    throw new ListRefused(
      'older_than_active',
      `the file was published on ${publishedOn}, before the active version (${active.publishedOn})`,
    );
  }
}

/** Rejects a file that removes or changes too many entries, unless that is confirmed. */
export async function assertConfirmed(
  { mayShrink = false, doubtsChanges = false }: ImportOrder,
  active: ListVersion,
  candidate: Candidate,
): Promise<void> {
  const doubt = doubtOf(active, candidate, doubtsChanges);
  if (doubt === null || (typeof mayShrink === 'boolean' ? mayShrink : await mayShrink(candidate))) return;
  throw new SuspiciousShrink(doubt, candidate);
}

function doubtOf(
  { entryCount }: ListVersion,
  { removed, matchChanged }: Candidate,
  doubtsChanges: boolean,
): string | null {
  if (removed > entryCount * MOST_LOST)
    return (
      `the file lacks ${removed} of the ${entryCount} entries of the active version, which is more than ` +
      `${MOST_LOST * 100} %`
    );
  if (!doubtsChanges || removed + matchChanged <= entryCount * MOST_CHANGED) return null;
  return (
    `the file lacks ${removed} of the ${entryCount} entries of the active version and changes ${matchChanged} in ` +
    `what names are compared with, together more than ${MOST_CHANGED * 100} %`
  );
}
