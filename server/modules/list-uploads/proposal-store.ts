/**
 * Table `watch_list_proposal`: versions that wait for a second administrator. Used by proposals.ts and the
 * presentation. Stores checksum and counts, not the file. A proposal is stale once another version of the list has
 * become active.
 */
import {
  actor,
  code,
  date,
  type InsertOf,
  integer,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
  withinTenant,
} from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import type { FormatName } from '../../screening/sources/index.ts';
import { secondReview } from '../second-review/index.ts';
import type { WatchListId } from '../watch-lists/index.ts';

const proposal = table(
  'watch_list_proposal',
  {
    id: uuid(),
    listId: code<WatchListId>(),
    // Sequence of the live version with which the proposed version was compared.
    after: integer(),
    version: text(),
    format: code<FormatName>(),
    publishedOn: date().nullable(),
    sha256: text(),
    entryCount: integer(),
    added: integer(),
    changed: integer(),
    matchChanged: integer(),
    removed: integer(),
    proposedAt: timestamp(),
    proposedBy: actor(),
  },
  {
    owner: 'platform',
    insertedBy: 'platform',
    example: {
      listId: 'un-csnu',
      version: 'v',
      format: 'un-xml',
      sha256: '0'.repeat(64),
      added: 0,
      changed: 0,
      matchChanged: 0,
    },
  },
);

export type NewProposal = InsertOf<typeof proposal>;

const whole = proposal.as('p').select();

/**
 * Version that waits for a second administrator. `isStale` means that another version has become active in the
 * meantime, so that this one can no longer be confirmed.
 */
export interface Proposal extends RowOf<typeof whole> {
  readonly isStale: boolean;
}

const insert = statement<NewProposal>('watchListProposal.insert', (p) => proposal.insert(p));

const findWaiting = statement<{ tenantId: string }, Proposal>(
  'watchListProposal.waiting',
  (p) => sql`
  SELECT ${whole}, p.after <> (SELECT max(v.sequence) FROM watch_list_version v
    WHERE v.environment = 'live' AND v.list_id = p.list_id) AS "isStale"
  FROM watch_list_proposal p JOIN second_review r ON r.subject_id = p.id
  WHERE ${secondReview.as('r').equal({ tenantId: p.tenantId, subjectType: 'list_version', state: 'pending' })}
    ORDER BY p.proposed_at, p.id`,
);

/** Lists the versions that wait for a second administrator, at most one for each list. */
export function waitingProposals(tx: Transaction): Promise<Proposal[]> {
  return withinTenant(tx, PLATFORM_TENANT_ID).run(findWaiting, { tenantId: PLATFORM_TENANT_ID });
}

export async function waitingProposal(tx: Transaction, listId: WatchListId): Promise<Proposal | null> {
  return (await waitingProposals(tx)).find((one) => one.listId === listId) ?? null;
}

export function insertProposal(tx: Transaction, record: NewProposal): void {
  void tx.run(insert, record);
}
