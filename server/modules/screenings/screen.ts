import { uuidv7 } from '../../base/uuid.ts';
import { canonicalJson } from '../../base/canonical-json.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type AnyPrincipal, type Environment } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import type { Transaction } from '../../database/index.ts';
import { assertEnvironmentWritable } from '../../identity/tenant.ts';
import type { Context } from '../../request/handler.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { ALGORITHM } from '../../screening/engine/screening-engine.ts';
import { areComparable } from '../../rules/comparable-names.ts';
import { matchHash } from '../../screening/hashes.ts';
import { lastUnseenChange, placeOfScreened, readApplication } from '../applications/index.ts';
import { sealingKey, sealValue } from '../subject-keys/index.ts';
import { ownList, type OwnListVersion } from '../own-lists/index.ts';
import { readScreeningRules } from '../tenant-settings/index.ts';
import {
  activeVersions,
  isScreened,
  isWatchList,
  type ListVersion,
  OWN_LIST,
  type ScreenedListId,
  WATCH_LISTS,
  watchListOf,
} from '../watch-lists/index.ts';
import { dismissed } from './allowlist.ts';
import { entriesFor, subjectKeyOf } from './allowlist-store.ts';
import { type Lines, linesAt, linesFor } from './bands.ts';
import { carryOver, diffOf, type NewHit } from './carry-over.ts';
import { decisionsAbout } from './decision-store.ts';
import { comparedHash } from './dismissals.ts';
import { followHits, type RaisedAlert } from './follow-hits.ts';
import { isStale } from './lists.ts';
import type { LoadedLists } from './loaded-lists.ts';
import { type FoundHit, type FoundHits, MOST_HITS, searchLists } from './search-lists.ts';
import { simulatedEntries } from './simulated-entry-store.ts';
import {
  insertScreening,
  lockNewestScreening,
  macOf,
  placeOfHit,
  resultOf,
  type ScreenedSubject,
  type SearchedList,
  type ScreeningRecord,
  screeningsSince,
} from './store.ts';
import { assertBorn, subjectOf } from './subject.ts';

type Schemas = components['schemas'];
type Asking = Pick<
  Context<'createScreening'>,
  'tx' | 'principal' | 'environment' | 'visible' | 'sandboxEnabled' | 'setResourceEnvironment' | 'now' | 'timeIn'
>;

interface Run {
  readonly environment: Environment;
  readonly applicationId: string | null;
  /** Null if a subject without an application is screened for the first time. */
  readonly subjectId: string | null;
  readonly subject: ScreenedSubject;
  readonly lists: readonly string[] | undefined;
  /** True unless the request leaves the own list out. */
  readonly withOwn: boolean;
  readonly criteria: Partial<Schemas['ScreeningCriteria']>;
}

/** A stored hit. */
interface KeptHit extends Pick<NewHit, 'id' | 'entityMac'> {
  readonly status: Schemas['HitStatus'];
}

export interface Screened {
  readonly id: string;
  readonly result: Schemas['ScreeningResult'];
  readonly hitCount: number;
  readonly hits: readonly KeptHit[];
  /** Alerts that the screening has raised, if the applicant is monitored. */
  readonly alerts: readonly RaisedAlert[];
  /** The searched lists, and the lines of the profile that applied. */
  readonly searched: readonly SearchedList[];
  readonly lines: Lines;
}

/** The initiator of a screening: a caller, or monitoring. */
interface Screener {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly by: Schemas['Actor'];
  readonly now: Date;
  /** Business time of the environment. */
  readonly at: Date;
}

export async function screen(
  ctx: Asking & Pick<Context<'createScreening'>, 'body'>,
  lists: LoadedLists,
): Promise<Screened> {
  const {
    body: { applicationId, subject, lists: wanted, criteria = {} },
  } = ctx;
  assertBorn(subject, calendarDate(ctx.timeIn(ctx.environment)));
  if (applicationId === undefined) {
    ctx.setResourceEnvironment(ctx.environment);
    return run(await metered(ctx, ctx.environment), lists, {
      environment: ctx.environment,
      applicationId: null,
      subjectId: null,
      subject: subjectOf(subject, null, ctx.environment),
      lists: wanted,
      withOwn: wanted === undefined,
      criteria,
    });
  }
  const { id, environment, applicant } = await readApplication(ctx, applicationId);
  assertEnvironmentWritable(environment, ctx);
  return run(await metered(ctx, environment), lists, {
    environment,
    applicationId: id,
    subjectId: id,
    subject: subjectOf(subject, applicant, environment),
    lists: wanted,
    withOwn: wanted === undefined,
    criteria,
  });
}

/**
 * Re-runs a screening with its original options, overridden by the request; on the current own list, if there is one.
 */
export async function rerun(
  ctx: Asking & Pick<Context<'rerunScreening'>, 'body'>,
  lists: LoadedLists,
  {
    environment,
    applicationId,
    subjectId,
    subject,
    lists: searched,
    criteria: { threshold, ...criteria },
    profileVersion,
  }: ScreeningRecord,
): Promise<Screened> {
  assertEnvironmentWritable(environment, ctx);
  // In screenings from before there were profiles, the threshold of the settings is stored as if the request had set
  // it.
  const originalCriteria = profileVersion === null || threshold === undefined ? criteria : { ...criteria, threshold };
  return run(await metered(ctx, environment), lists, {
    environment,
    applicationId,
    subjectId,
    subject,
    lists: ctx.body.lists ?? searched.map(({ listId }) => listId).filter(isWatchList),
    withOwn: ctx.body.lists === undefined,
    criteria: { ...originalCriteria, ...ctx.body.criteria },
  });
}

/**
 * Re-screens the applicant of an application by the current settings, without a request. Does not count towards the
 * daily quota of the tenant.
 */
export function rescreen(
  screener: Screener,
  lists: LoadedLists,
  { id, environment, applicant }: Pick<Awaited<ReturnType<typeof readApplication>>, 'id' | 'environment' | 'applicant'>,
): Promise<Screened> {
  return run(screener, lists, {
    environment,
    applicationId: id,
    subjectId: id,
    subject: subjectOf(undefined, applicant, environment),
    lists: undefined,
    withOwn: true,
    criteria: {},
  });
}

/** Returns a caller as the initiator. Screenings of the live environment count towards the quota. */
async function metered({ tx, principal, now, timeIn }: Asking, environment: Environment): Promise<Screener> {
  if (environment === 'live') await assertQuota(tx, principal, now);
  return {
    tx,
    tenantId: principal.tenantId,
    by: actorOf(principal),
    now,
    at: timeIn(environment),
  };
}

/** Searches the lists and stores the hits, with the decisions that apply to them. */
async function run(
  { tx, tenantId, by, now, at: createdAt }: Screener,
  lists: LoadedLists,
  given: Run,
): Promise<Screened> {
  const { environment, applicationId, subject } = given;
  const [{ version: profileVersion, rules }, active, own, simulated] = await Promise.all([
    readScreeningRules(tx, tenantId),
    activeVersions(tx, environment),
    ownList(tx, environment),
    simulatedEntries(tx, given),
  ]);
  const criteria = {
    dobToleranceYears: 0,
    includeRca: true,
    includeFormerPep: true,
    ...given.criteria,
  };
  const wanted = wantedLists(given, rules.defaultLists, { active, own });
  const set = lists.ready(environment, active);
  const linesOfProfile = linesFor(subject, rules.profile);
  const lines = linesAt(linesOfProfile, criteria.threshold);
  const startedAt = performance.now();
  const search = {
    wanted,
    subject,
    criteria,
    lines,
    now,
  };
  const ownName = own === null || !wanted.has(OWN_LIST) ? null : lists.own.ready(tenantId, own);
  // Both searches start at once, because an index that is ready now may be dropped for another one a moment later.
  const { hits: found, isTruncated: truncated } = mergeFound(
    ...(await Promise.all([
      searchLists(lists.engine, {
        ...search,
        name: environment,
        lists: set.versions.map(({ listId }) => listId),
        simulated,
      }),
      // The rarity of a word is taken from the public lists, because an own list has too few entries.
      ownName === null
        ? NOTHING
        : searchLists(lists.own.engine, {
            ...search,
            name: ownName,
            weighedBy: environment,
            lists: [OWN_LIST],
          }),
    ])),
  );
  const durationMs = Math.round(performance.now() - startedAt);
  // The time of the last check of a list changes without a new version.
  const published = set.versions
    .filter(({ listId }) => wanted.has(listId))
    .map(
      (version) =>
        active.find(({ listId, sequence }) => listId === version.listId && sequence === version.sequence) ?? version,
    );
  const searched: readonly SearchedList[] = [
    ...published.map(({ listId, version, sequence, publishedOn }) => ({
      listId,
      version,
      sequence,
      publishedOn,
    })),
    ...(own !== null && wanted.has(OWN_LIST)
      ? [
          {
            listId: OWN_LIST,
            version: own.version,
            sequence: own.sequence,
            publishedOn: null,
          },
        ]
      : []),
  ];
  const id = uuidv7();
  const subjectId = given.subjectId ?? id;
  const key = await sealingKey(
    tx,
    { type: applicationId === null ? 'screening' : 'application', id: subjectId },
    { environment, now: createdAt },
  );
  const entries =
    found.length === 0 ? [] : await entriesFor(tx, environment, subjectKeyOf(tx, subject, subjectId), createdAt);
  const previous = given.subjectId === null ? null : await lockNewestScreening(tx, subjectId);
  const unseenAt = applicationId === null ? null : await lastUnseenChange(tx, applicationId);
  // Decisions about a subject end if a user changed the personal data without seeing it. Otherwise, a decision that
  // still applied would reveal that a guessed value is right.
  const subjectHash = macOf(tx, 'subject', canonicalJson({ ...subject, ...(unseenAt !== null && { unseenAt }) }));
  const hits = found.map((hit): FoundHit & NewHit => ({
    ...hit,
    id: uuidv7(),
    entityMac: macOf(tx, 'entity', hit.entity.key),
    formerMacs: hit.entity.references.map((key) => macOf(tx, 'entity', key)),
    entityHash: hashOf(tx, hit),
    subjectHash,
    comparedHash: comparedHash(tx, subject, hit),
  }));
  const decided = await carryOver(
    tx,
    given,
    subject,
    hits,
    previous === null ? [] : await decisionsAbout(tx, subjectId, key),
  );
  const carried = await dismissed(tx, entries, environment, { at: createdAt, now }, hits, decided);
  const comparable = areComparable(subject.names);
  const { result, openHitCount } = resultOf(
    carried.map(({ status }) => status),
    { isTruncated: truncated, isComparable: comparable },
  );
  const of = { tenantId, environment };
  insertScreening(
    tx,
    {
      ...of,
      id,
      applicationId,
      subjectId,
      previousScreeningId: previous?.record.id ?? null,
      diff:
        previous === null
          ? null
          : diffOf(
              previous.hits,
              hits.map((hit, index) => ({ ...hit, decisionId: carried[index]!.decisionId })),
            ),
      result,
      subject: sealValue(key, placeOfScreened(id), subject),
      criteria,
      lists: searched,
      staleLists: published.filter((version) => isStale(version, now)).map(({ listId }) => listId),
      hitCount: hits.length,
      openHitCount,
      truncated,
      comparable,
      algorithmVersion: ALGORITHM,
      profileVersion,
      lines: linesOfProfile,
      durationMs,
      createdAt,
      createdBy: by,
    },
    hits.map(({ id: hitId, listId, category, entity, entityMac, entityHash, score, judgement }, position) => {
      const { status, decisionId, reopened, allowlistEntryId } = carried[position]!;
      return {
        ...of,
        id: hitId,
        screeningId: id,
        position,
        listId,
        category,
        score,
        subjectId,
        entityMac,
        entityHash,
        subjectHash,
        status,
        decisionId,
        allowlistEntryId,
        content: sealValue(key, placeOfHit(hitId), {
          entityKey: entity.key,
          judgement,
          reopened,
          ...(listId === OWN_LIST && { entity }),
        }),
      };
    }),
  );
  return {
    id,
    result,
    hitCount: hits.length,
    searched,
    lines: linesOfProfile,
    hits: hits.map((hit, index) => ({ ...hit, status: carried[index]!.status })),
    alerts: applicationId === null ? [] : await followHits(tx, applicationId, { at: createdAt, now }),
  };
}

const NOTHING: FoundHits = { hits: [], isTruncated: false };

/** Merges the results of two searches as if they had been one. */
function mergeFound(one: FoundHits, other: FoundHits): FoundHits {
  const hits = [...one.hits, ...other.hits].sort((a, b) => b.score - a.score);
  return {
    hits: hits.slice(0, MOST_HITS),
    isTruncated: one.isTruncated || other.isTruncated || hits.length > MOST_HITS,
  };
}

/**
 * Hash of the matched fields. For own-list entries it is an HMAC, so that reading the database does not reveal who is
 * on the list.
 */
function hashOf(tx: Transaction, { listId, entity }: FoundHit): Buffer {
  const hash = matchHash(entity);
  return listId === OWN_LIST ? macOf(tx, 'entity', hash) : Buffer.from(hash, 'hex');
}

/** Available lists. */
interface AvailableLists {
  readonly active: readonly ListVersion[];
  readonly own: OwnListVersion | null;
}

/** Selects the lists to search. Rejects a request for a list that was never imported. */
function wantedLists(
  { lists: given, withOwn }: Pick<Run, 'lists' | 'withOwn'>,
  usual: readonly string[],
  { active, own }: AvailableLists,
): ReadonlySet<ScreenedListId> {
  const unknown = (given ?? []).flatMap((id, index) =>
    isScreened(id)
      ? []
      : [
          {
            pointer: `/lists/${index}`,
            code: 'unknown_list',
            message: `must be one of ${[...Object.keys(WATCH_LISTS), OWN_LIST].join(', ')}`,
          },
        ],
  );
  if (unknown.length > 0) throw new Problem('unknown_list', { errors: unknown });
  const wanted = new Set((given ?? usual).filter(isScreened));
  if (withOwn && own !== null) wanted.add(OWN_LIST);
  const left = Object.keys(WATCH_LISTS)
    .filter(isWatchList)
    .filter((id) => watchListOf(id).isMandatory && !wanted.has(id));
  if (left.length > 0)
    throw new Problem('mandatory_list_excluded', {
      errors: [{ pointer: '/lists', code: 'mandatory', message: `must include ${left.join(', ')}` }],
    });
  const missing = [...wanted].filter((id) =>
    id === OWN_LIST ? own === null : !active.some(({ listId }) => listId === id),
  );
  if (missing.length > 0)
    throw new Problem('provider_not_configured', {
      detail: `No version of these lists was imported: ${missing.join(', ')}.`,
    });
  return wanted;
}

/** Upper bound of the screenings of a tenant that are in progress at the same time, in all processes together. */
const MOST_AT_ONCE = 1_000;

/**
 * Rejects a screening beyond the daily quota, by days of UTC. Far from the quota no request waits for another; near it
 * screenings are counted one after the other, so that concurrent requests cannot all use the last place.
 */
async function assertQuota(tx: Transaction, { tenantId }: AnyPrincipal, now: Date): Promise<void> {
  const today = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  const room = async (): Promise<number> => {
    const { quota, used } = await screeningsSince(tx, today);
    return quota === null ? Number.POSITIVE_INFINITY : quota - used;
  };
  if ((await room()) >= MOST_AT_ONCE) return;
  void lockUntilCommit(tx, 'screeningsPerDay', tenantId);
  if ((await room()) <= 0) throw new Problem('quota_exceeded', { detail: 'The quota screeningsPerDay is used up.' });
}
