import { Problem } from '../../contract/problem.ts';
import type { Context, HandlersOf } from '../../request/handler.ts';
import { type Cursors, DEFAULT_LIMIT, filtersOf, type Page, pageOf } from '../../request/pagination.ts';
import { instantParameter } from '../../request/query.ts';
import { visibleTo } from '../applications/index.ts';
import { referredEntities } from '../watch-lists/index.ts';
import { screeningLists } from './lists.ts';
import type { LoadedLists } from './loaded-lists.ts';
import { present, presentInList } from './present.ts';
import { screen } from './screen.ts';
import { findScreening, listScreenings } from './store.ts';

interface Dependencies {
  readonly cursors: Cursors;
  readonly watchLists: LoadedLists;
}

type Reading = Pick<Context<'getScreening'>, 'tx' | 'principal' | 'visible' | 'sandboxEnabled' | 'setResourceEnvironment'>;

async function readScreening(ctx: Reading, id: string) {
  const found = await findScreening(ctx.tx, id);
  if (found === 'erased') throw new Problem('erased');
  const record = visibleTo(ctx, found?.record ?? null);
  const hits = found!.hits;
  const sequenceOf = (listId: string): number => record.lists.find((list) => list.listId === listId)!.sequence;
  const entities = await referredEntities(ctx.tx, record.environment, hits.map(({ listId, entityKey }) => ({ listId, key: entityKey, sequence: sequenceOf(listId) })));
  return present(record, hits, entities, ctx);
}

type Listing = Pick<Context<'listScreenings'>, 'tx' | 'principal' | 'query' | 'environment' | 'visible' | 'setResourceEnvironment' | 'operationId'>;

/** One page of one environment: the one that is asked for, else the effective one. */
async function screeningPage(ctx: Listing, cursors: Cursors): Promise<Page<ReturnType<typeof presentInList>>> {
  const { tx, principal: { tenantId }, query, operationId } = ctx;
  const { limit = DEFAULT_LIMIT, environment = ctx.environment, sort = '-createdAt', result = [], category = [], applicationId, listId, hasStaleLists } = query;
  if (!ctx.visible.includes(environment)) return { items: [], cursor: null, hasMore: false };
  ctx.setResourceEnvironment(environment);
  const binding = { tenantId, operationId, filters: { ...filtersOf(query), environment } };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const rows = await listScreenings(tx, {
    environment, results: result, categories: category, applicationId, listId, hasStaleLists,
    createdAfter: instantParameter('createdAfter', query.createdAfter), createdBefore: instantParameter('createdBefore', query.createdBefore),
  }, sort.startsWith('-') ? 'desc' : 'asc', after, limit + 1);
  return pageOf(rows, limit, (record) => presentInList(record, ctx), { cursors, binding, positionOf: ({ createdAt, id }) => [createdAt, id] });
}

export const screeningHandlers = ({ cursors, watchLists }: Dependencies) => ({
  createScreening: async (ctx) => {
    const { id, result, hitCount } = await screen(ctx, watchLists);
    ctx.audit('screening.run', { type: 'screening', id }, { result, hitCount });
    return ctx.reply(201, await readScreening(ctx, id), { Location: `/v1/screenings/${id}` });
  },

  listScreenings: async (ctx) => ctx.reply(200, await screeningPage(ctx, cursors)),

  listScreeningLists: async ({ tx, environment, now, setResourceEnvironment, reply }) => {
    setResourceEnvironment(environment);
    return reply(200, { items: await screeningLists(tx, environment, now) });
  },

  getScreening: async (ctx) => ctx.reply(200, await readScreening(ctx, ctx.params.screeningId)),
} satisfies HandlersOf<'screenings'>);
