/**
 * Handlers of the operations on screenings, hits, the allow-list and the own list, registered by the index of the
 * module. Screenings queue fairly between tenants, because each keeps processors busy; while lists are loading, a
 * request is answered later or refused and never waits inside a transaction.
 */
import type { Outbox } from '../../providers/mail/index.ts';
import type { FairQueue } from '../../base/fair-queue.ts';
import { type Context, type HandlersOf, withBodyRules, withPreparation, withFairQueue } from '../../request/handler.ts';
import { environmentPage, orderOf, type Page } from '../../request/pagination.ts';
import { instantParameter } from '../../request/query.ts';
import { shown } from '../../rules/mask.ts';
import { reasonFaults } from '../../rules/reasons.ts';
import { readOwnList, removeOwnList, replaceOwnList } from '../own-lists/index.ts';
import { OWN_LIST } from '../watch-lists/index.ts';
import { presentEntry, revoke } from './allowlist.ts';
import { listEntries } from './allowlist-store.ts';
import { adjudicate, freezeDue } from './adjudicate.ts';
import { decisionsAbout } from './decision-store.ts';
import { eraseSubject } from './erase.ts';
import { listScreenings } from './list-store.ts';
import { screeningEstimate } from './estimate.ts';
import { ownScreeningList, screeningLists } from './lists.ts';
import type { LoadedLists } from './loaded-lists.ts';
import { lookup } from './lookup.ts';
import { type Background, present, presentHit, presentInList } from './present.ts';
import { rerun, screen } from './screen.ts';
import { entitiesOf } from './simulated-entry-store.ts';
import type { FoundScreening } from './store.ts';
import { notifyOfFreeze } from './notify-of-freeze.ts';

const OWN = { type: 'screening_list', id: OWN_LIST } as const;

interface Dependencies {
  readonly watchLists: LoadedLists;
  readonly mail: Outbox;
  /**
   * Limits screenings that run at once, because each keeps the processors busy, here and at the database. More of them
   * at once would not finish sooner and would delay other requests (decision 58).
   */
  readonly fairQueue: FairQueue;
}

type Reading = Pick<
  Context<'getScreening'>,
  'tx' | 'principal' | 'visible' | 'sandboxEnabled' | 'setResourceEnvironment'
>;

async function backgroundOf({ tx }: Reading, { record, hits, key }: FoundScreening): Promise<Background> {
  const sequenceOf = (listId: string): number => record.lists.find((list) => list.listId === listId)!.sequence;
  const [decisions, entities] = await Promise.all([
    decisionsAbout(tx, record.subjectId, key),
    entitiesOf(
      tx,
      record,
      hits.map(({ listId, entityKey }) => ({ listId, key: entityKey, sequence: sequenceOf(listId) })),
    ),
  ]);
  const stored = hits.flatMap(({ listId, entityKey: key, entityHash, entity }) =>
    entity === undefined
      ? []
      : [
          {
            listId,
            key,
            sequence: sequenceOf(listId),
            fingerprint: entityHash.toString('hex'),
            document: entity,
            isPublished: false,
          },
        ],
  );
  return { decisions, entities: [...entities, ...stored] };
}

async function shownScreening(ctx: Reading, id: string): Promise<ReturnType<typeof present>> {
  const found = await lookup(ctx).screening(id).forReading();
  return present(found, await backgroundOf(ctx, found), ctx);
}

async function screeningPage(ctx: Context<'listScreenings'>): Promise<Page<ReturnType<typeof presentInList>>> {
  const { tx, query } = ctx;
  const { sort = '-createdAt', result = [], category = [], applicationId, listId, hasStaleLists } = query;
  return environmentPage(ctx, {
    rows: ({ environment, after, count }) => {
      const filter = {
        environment,
        results: result,
        categories: category,
        applicationId,
        listId,
        hasStaleLists,
        createdAfter: instantParameter('createdAfter', query.createdAfter),
        createdBefore: instantParameter('createdBefore', query.createdBefore),
      };
      return listScreenings(tx, filter, { direction: orderOf(sort).direction, after, count });
    },
    position: ({ createdAt, id }) => [createdAt, id],
    item: (record) => presentInList(record, ctx),
  });
}

async function allowlistPage(ctx: Context<'listAllowlistEntries'>): Promise<Page<ReturnType<typeof presentEntry>>> {
  const { sort = '-createdAt', status = [], subjectKey, expiresBefore } = ctx.query;
  return environmentPage(ctx, {
    rows: ({ environment, after, count }) => {
      const filter = {
        environment,
        statuses: status,
        subjectMac: subjectKey === undefined ? undefined : Buffer.from(subjectKey, 'hex'),
        expiresBefore: instantParameter('expiresBefore', expiresBefore),
      };
      return listEntries(ctx.tx, filter, { direction: orderOf(sort).direction, after, count });
    },
    position: ({ createdAt, id }) => [createdAt, id],
    item: (entry) => presentEntry(entry, ctx),
  });
}

export const screeningHandlers = ({ watchLists, mail, fairQueue }: Dependencies) =>
  ({
    createScreening: withFairQueue<'createScreening'>(fairQueue, async (ctx) => {
      const { id, result, hitCount } = await screen(ctx, watchLists);
      ctx.audit('screening.run', { type: 'screening', id }, { result, hitCount });
      return ctx.reply(201, await shownScreening(ctx, id), { Location: `/v1/screenings/${id}` });
    }),

    rerunScreening: withFairQueue<'rerunScreening'>(fairQueue, async (ctx) => {
      const { record } = await lookup(ctx).screening(ctx.params.screeningId).forChangeWithoutLock();
      const { id, result, hitCount } = await rerun(ctx, watchLists, record);
      ctx.audit('screening.run', { type: 'screening', id }, { result, hitCount, previousScreeningId: record.id });
      return ctx.reply(201, await shownScreening(ctx, id), { Location: `/v1/screenings/${id}` });
    }),

    eraseScreening: async (ctx) => {
      const {
        body: { reason, requestRef = null },
        audit,
        reply,
      } = ctx;
      const { record } = await lookup(ctx).ownScreening(ctx.params.screeningId).forChangeWithoutLock();
      const { screenings, erasedAt } = await eraseSubject(ctx, record);
      audit('subject.erased', { type: 'screening', id: record.id }, { reason, requestRef, screenings });
      return reply(202, {
        screeningId: record.id,
        reason,
        requestRef,
        screenings,
        erasedAt,
      });
    },

    adjudicateHit: withBodyRules<'adjudicateHit'>(
      ({ status, reasonCode }) => reasonFaults('hit', status, { '/reasonCode': reasonCode }),
      async (ctx) => {
        const {
          params: { screeningId, hitId },
          audit,
          reply,
        } = ctx;
        const before = await lookup(ctx).screening(screeningId).forChangeWithoutLock();
        const { decision, isReview, allowlistEntryId } = await adjudicate(ctx, before);
        const { status, reasonCode, state } = decision;
        audit(
          isReview ? 'hit.second_reviewed' : 'hit.adjudicated',
          { type: 'screening_hit', id: hitId },
          {
            screeningId,
            status,
            reasonCode,
            state,
          },
        );
        if (allowlistEntryId !== null)
          audit(
            'allowlist.created',
            { type: 'allowlist_entry', id: allowlistEntryId },
            { screeningId, hitId, reasonCode },
          );
        const dueAt = freezeDue(decision);
        if (dueAt !== null) {
          audit('hit.freeze_due', { type: 'screening_hit', id: hitId }, { screeningId, dueAt: dueAt.toISOString() });
          if (before.record.environment === 'live') await notifyOfFreeze(ctx, mail, { decision, screeningId, dueAt });
        }
        const after = await lookup(ctx).screening(screeningId).forReading();
        const hit = presentHit(
          after.hits.find(({ id }) => id === hitId)!,
          after.record,
          await backgroundOf(ctx, after),
          ctx,
        );
        return state === 'proposed' ? reply(202, hit) : reply(200, hit);
      },
    ),

    listScreenings: async (ctx) => ctx.reply(200, await screeningPage(ctx)),

    listAllowlistEntries: async (ctx) => ctx.reply(200, await allowlistPage(ctx)),

    revokeAllowlistEntry: async (ctx) => {
      await revoke(ctx);
      return ctx.reply(204);
    },

    listScreeningLists: async (ctx) => {
      const { tx, environment, principal, now, reply } = ctx;
      ctx.setResourceEnvironment(environment);
      const [lists, own, estimate] = await Promise.all([
        screeningLists(tx, environment, now),
        ownScreeningList(tx, environment, now),
        screeningEstimate(tx, environment, principal.tenantId),
      ]);
      const items = own === null ? lists : [...lists, shown('ScreeningList', own, ctx)];
      return reply(200, { items, estimate });
    },

    replaceOwnList: withPreparation<'replaceOwnList', Awaited<ReturnType<typeof readOwnList>>>(
      (given) => readOwnList(given, fairQueue),
      async (ctx, read) => {
        const { tx, environment, now, audit, reply } = ctx;
        ctx.setResourceEnvironment(environment);
        const {
          outcome,
          version: { version, sha256, entryCount, added, changed, matchChanged, removed },
        } = await replaceOwnList(ctx, read, fairQueue);
        if (outcome === 'replaced')
          audit('list.own_replaced', OWN, {
            version,
            sha256,
            entryCount,
            added,
            changed,
            matchChanged,
            removed,
          });
        else audit('list.own_checked', OWN, { version, sha256 });
        return reply(200, (await ownScreeningList(tx, environment, now))!);
      },
    ),

    removeOwnList: async (ctx) => {
      ctx.setResourceEnvironment(ctx.environment);
      const { version, entryCount } = await removeOwnList(ctx);
      ctx.audit('list.own_removed', OWN, { version, entryCount });
      return ctx.reply(204);
    },

    getScreening: async (ctx) => ctx.reply(200, await shownScreening(ctx, ctx.params.screeningId)),
  }) satisfies HandlersOf<'screenings'>;
