/**
 * Table `monitored_list_set`: by which versions of the lists a tenant has checked its subscriptions. Used by
 * follow-lists.ts, the runs and the comparisons. The locks of this file keep a comparison with an older version from
 * being stored as one with a newer.
 */
import type { RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  code,
  type InsertOf,
  json,
  knex,
  sql,
  statement,
  table,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { OPEN_STATUSES } from '../../identity/tenant.ts';
import { macOf, screeningHit } from '../screenings/index.ts';
import type { ListVersion, WatchListId } from '../watch-lists/index.ts';

/** Versions of lists by their numbers. */
export type Sequences = Readonly<Record<string, number>>;

/**
 * Versions of lists by which all compared subscriptions of a tenant were checked. A tenant without a row has compared
 * nobody yet.
 */
export const listSet = table(
  'monitored_list_set',
  {
    tenantId: uuid(),
    environment: code<Environment>(),
    sequences: json<Sequences>().changes('all subscriptions of the tenant have been compared with newer versions'),
    doneAt: timestamp().changes('all subscriptions of the tenant have been compared with newer versions'),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
  },
);

export interface TenantBehind {
  readonly tenantId: string;
  readonly sequences: Sequences;
}

const listBehind = statement<{ environment: Environment; active: Sequences }, TenantBehind>(
  'monitoring.behind',
  (p) => sql`
  SELECT ${listSet.as('m').select('tenantId', 'sequences')} FROM monitored_list_set m
    JOIN tenant t ON t.id = m.tenant_id
  WHERE ${listSet.as('m').equal({ environment: p.environment })} AND m.sequences <> ${p.active}::jsonb
    AND t.status = ANY (${knex.raw(`'{${OPEN_STATUSES.join(',')}}'`)}) ORDER BY m.tenant_id`,
);

const find = statement<{ tenantId: string; environment: Environment }, { sequences: Sequences }>(
  'monitoring.followed',
  (p) => sql`
  SELECT sequences FROM monitored_list_set
    WHERE ${listSet.equal({ tenantId: p.tenantId, environment: p.environment })}`,
);

const share = statement<{ tenantId: string; environment: Environment }, { sequences: Sequences }>(
  'monitoring.shareFollowed',
  (p) => sql`
  SELECT sequences FROM monitored_list_set
    WHERE ${listSet.equal({ tenantId: p.tenantId, environment: p.environment })} FOR SHARE`,
);

/** A list that is followed already keeps its version. */
const extend = statement<InsertOf<typeof listSet>, { sequences: Sequences }>(
  'monitoring.extendFollowed',
  (p) => sql`
  ${listSet.insert(p)} ON CONFLICT (tenant_id, environment) DO UPDATE
    SET sequences = excluded.sequences || monitored_list_set.sequences RETURNING sequences`,
);

const advance = statement<{
  tenantId: string;
  environment: Environment;
  from: Sequences;
  to: Sequences;
  now: RealTime;
}>(
  'monitoring.advance',
  (p) => sql`
  UPDATE monitored_list_set SET ${listSet.assign({ sequences: p.to, doneAt: p.now })}
    WHERE ${listSet.equal({ tenantId: p.tenantId, environment: p.environment, sequences: p.from })}`,
  { expectRows: 1 },
);

const findHits = statement<
  {
    tenantId: string;
    environment: Environment;
    listId: WatchListId;
    macs: readonly Buffer[];
  },
  { id: string }
>(
  'monitoring.hitsOf',
  (p) => sql`
  SELECT DISTINCT s.id FROM screening_hit h JOIN monitoring_subscription s ON s.tenant_id = h.tenant_id
    AND s.application_id = h.subject_id AND s.status = 'active'
  WHERE ${screeningHit.as('h').equal({ tenantId: p.tenantId, environment: p.environment, listId: p.listId })}
    AND h.entity_mac = ANY (${p.macs}::bytea[])`,
);

export const sequencesOf = (versions: readonly Pick<ListVersion, 'listId' | 'sequence'>[]): Sequences =>
  Object.fromEntries(versions.map(({ listId, sequence }) => [listId, sequence]));

/** Returns the open tenants that have followed other versions than the active ones. Must run as the platform. */
export function tenantsBehind(tx: Transaction, environment: Environment, active: Sequences): Promise<TenantBehind[]> {
  return tx.run(listBehind, { environment, active });
}

/** Returns the versions that the tenant has followed so far. */
export async function followedBy(tx: Transaction, environment: Environment): Promise<Sequences | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, environment }))[0]?.sequences ?? null;
}

/**
 * Records the versions of a comparison, which are followed from then on, and returns the followed versions. Until the
 * transaction ends, no other transaction follows later ones, so a comparison with an earlier version cannot be stored
 * as one with a later version. Following takes its locks in the same order: subscriptions first.
 */
export async function noteCompared(
  tx: Transaction,
  environment: Environment,
  searched: Sequences,
  now: RealTime,
): Promise<{ readonly sequences: Sequences; readonly isFirst: boolean }> {
  const [row] = await tx.run(share, { tenantId: tx.tenantId!, environment });
  if (row !== undefined && Object.keys(searched).every((listId) => listId in row.sequences))
    return { sequences: row.sequences, isFirst: false };
  const [extended] = await tx.run(extend, {
    tenantId: tx.tenantId!,
    environment,
    sequences: searched,
    doneAt: now,
  });
  return { sequences: extended!.sequences, isFirst: row === undefined };
}

/**
 * Fails, and so rolls back the transaction, if the tenant has compared an applicant with another list meanwhile. The
 * next round includes that list.
 */
export async function markFollowed(
  tx: Transaction,
  environment: Environment,
  { from, to }: { readonly from: Sequences; readonly to: Sequences },
  now: RealTime,
): Promise<void> {
  await tx.run(advance, {
    tenantId: tx.tenantId!,
    environment,
    from,
    to,
    now,
  });
}

/** Returns the subscriptions of the tenant whose applicants had a hit on one of these entities, by list. */
export async function hitsOf(
  tx: Transaction,
  environment: Environment,
  keys: ReadonlyMap<WatchListId, readonly string[]>,
): Promise<string[]> {
  const found = await Promise.all(
    [...keys].map(([listId, of]) =>
      tx.run(findHits, {
        tenantId: tx.tenantId!,
        environment,
        listId,
        macs: of.map((key) => macOf(tx, 'entity', key)),
      }),
    ),
  );
  return found.flat().map(({ id }) => id);
}
