/**
 * Table `monitoring_algorithm` and the progress of rehearsals. Used by algorithm.ts, the comparisons and the runs of
 * this module. It says by which version of the matching algorithm all applicants of a tenant may be screened; a tenant
 * that has no run yet needs no release.
 */
import type { BusinessTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
  sql,
  statement,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { ALGORITHM } from '../../screening/engine/screening-engine.ts';
import { LIST_CHECKS, type Rehearsal, subscription } from '../subscriptions/index.ts';

/**
 * Algorithm by which all monitored applicants of a tenant may be screened again. The first run of a tenant releases its
 * own algorithm.
 */
export const algorithm = table(
  'monitoring_algorithm',
  {
    tenantId: uuid(),
    environment: code<Environment>(),
    released: text().changes('a compliance officer releases a newer algorithm'),
    releasedAt: businessTimestamp().nullable().defaulted().changes('a compliance officer releases a newer algorithm'),
    releasedBy: actor().nullable().defaulted().changes('a compliance officer releases a newer algorithm'),
    note: text().nullable().defaulted().changes('a compliance officer releases a newer algorithm'),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: { released: 'm2' },
  },
);

const own = algorithm.select('released', 'releasedAt', 'releasedBy', 'note');

type Of = { tenantId: string; environment: Environment };
export interface Release {
  readonly released: string;
  readonly releasedAt: string | null;
  readonly releasedBy: components['schemas']['Actor'] | null;
  readonly note: string | null;
}

const find = statement<Of, Release>(
  'algorithm.find',
  (p) =>
    sql`SELECT ${own} FROM monitoring_algorithm
      WHERE ${algorithm.equal({ tenantId: p.tenantId, environment: p.environment })}`,
);
const lock = statement<Of, Release>(
  'algorithm.lock',
  (p) =>
    sql`SELECT ${own} FROM monitoring_algorithm
      WHERE ${algorithm.equal({ tenantId: p.tenantId, environment: p.environment })} FOR UPDATE`,
);

const begin = statement<Of & { released: string }>(
  'algorithm.begin',
  (p) => sql`
  ${algorithm.insert(p)} ON CONFLICT (tenant_id, environment) DO NOTHING`,
);

const update = statement<
  Of & {
    released: string;
    at: BusinessTime;
    by: components['schemas']['Actor'];
    note: string;
  }
>(
  'algorithm.release',
  (p) => sql`
  UPDATE monitoring_algorithm SET ${algorithm.assign({
    released: p.released,
    releasedAt: p.at,
    releasedBy: p.by,
    note: p.note,
  })} WHERE ${algorithm.equal({ tenantId: p.tenantId, environment: p.environment })}`,
  { expectRows: 1 },
);

/**
 * Subscriptions that were compared by another algorithm, and by the present one neither in a run nor in a rehearsal.
 */
const toRehearse = sql`s.status = 'active' AND s.checks && ${LIST_CHECKS}
  AND s.compared ->> 'algorithm' <> ${ALGORITHM}`;
const isRehearsed = sql`coalesce(s.rehearsal ->> 'algorithm' = ${ALGORITHM}, false)`;

// A business is compared with no list, so it is never rehearsed.
const next = statement<Of, { id: Uuid; applicationId: Uuid }>(
  'algorithm.nextRehearsal',
  (p) => sql`
  SELECT ${subscription.as('s').select('id', 'applicationId')} FROM monitoring_subscription s
  WHERE ${subscription.as('s').equal({ tenantId: p.tenantId, environment: p.environment, waitingFor: null })}
    AND ${toRehearse} AND NOT ${isRehearsed} ORDER BY s.id LIMIT 1`,
);

const note = statement<{ tenantId: string; id: string; rehearsal: Rehearsal }>(
  'algorithm.noteRehearsal',
  (p) => sql`
  UPDATE monitoring_subscription SET ${subscription.assign({ rehearsal: p.rehearsal })}
    WHERE ${subscription.equal({ tenantId: p.tenantId, id: p.id })}`,
);

export interface Rehearsals {
  readonly pending: number;
  readonly rehearsed: number;
  readonly failed: number;
  readonly newHits: number;
  readonly subjectsWithNewHits: number;
}

const count = statement<Of, Rehearsals>(
  'algorithm.rehearsals',
  (p) => sql`
  SELECT count(*) FILTER (WHERE NOT done)::integer AS pending, count(*) FILTER (WHERE done
    AND hits IS NOT NULL)::integer AS rehearsed, count(*) FILTER (WHERE done AND hits IS NULL)::integer AS failed,
    coalesce(sum(hits) FILTER (WHERE done), 0)::integer AS "newHits", count(*) FILTER (WHERE done AND hits > 0)::integer
      AS "subjectsWithNewHits"
  FROM (SELECT ${isRehearsed} AS done, (s.rehearsal ->> 'newHits')::integer AS hits FROM monitoring_subscription s
    WHERE ${subscription.as('s').equal({ tenantId: p.tenantId, environment: p.environment })} AND ${toRehearse})
      AS outdated`,
);

export async function findRelease(tx: Transaction, environment: Environment): Promise<Release | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, environment }))[0] ?? null;
}

export async function lockRelease(tx: Transaction, environment: Environment): Promise<Release | null> {
  return (await tx.run(lock, { tenantId: tx.tenantId!, environment }))[0] ?? null;
}

/**
 * Returns whether runs of all subscriptions by the present algorithm may be queued. A tenant without any run needs no
 * release, because there is nothing to rehearse.
 */
export async function isReleased(tx: Transaction, environment: Environment): Promise<boolean> {
  const release = await findRelease(tx, environment);
  return release === null || release.released === ALGORITHM;
}

/** Releases the algorithm of the first run with that run. */
export function beginReleases(tx: Transaction, environment: Environment): void {
  void tx.run(begin, { tenantId: tx.tenantId!, environment, released: ALGORITHM });
}

export function keepRelease(
  tx: Transaction,
  environment: Environment,
  given: { readonly at: BusinessTime; readonly by: components['schemas']['Actor']; readonly note: string },
): Promise<unknown> {
  return tx.run(update, {
    ...given,
    tenantId: tx.tenantId!,
    environment,
    released: ALGORITHM,
  });
}

export async function nextRehearsal(
  tx: Transaction,
  environment: Environment,
): Promise<{ readonly id: Uuid; readonly applicationId: Uuid } | null> {
  return (await tx.run(next, { tenantId: tx.tenantId!, environment }))[0] ?? null;
}

export function noteRehearsal(tx: Transaction, id: string, newHits: number | null): void {
  void tx.run(note, { tenantId: tx.tenantId!, id, rehearsal: { algorithm: ALGORITHM, newHits } });
}

export async function countRehearsals(tx: Transaction, environment: Environment): Promise<Rehearsals> {
  return (await tx.run(count, { tenantId: tx.tenantId!, environment }))[0]!;
}
