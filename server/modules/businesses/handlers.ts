import { uuidv7 } from '../../base/uuid.ts';
import { actorOf } from '../../contract/operation.ts';
import type { Context, HandlersOf } from '../../request/handler.ts';
import { type Cursors, DEFAULT_LIMIT, filtersOf, type Page, pageOf } from '../../request/pagination.ts';
import { assertMatch, etagOf } from '../../request/preconditions.ts';
import { instantParameter } from '../../request/query.ts';
import { normaliseTaxNumber } from '../../rules/tax-id.ts';
import { businessLookups as lookup } from './lookup.ts';
import { recordRegistration } from './registration.ts';
import { business, type Business, insertBusiness, listBusinesses, storeBusiness } from './store.ts';

const about = ({ id }: Pick<Business, 'id'>) => ({ type: 'business', id }) as const;

/** Returns one page of one environment: the one that the request names, else the effective one. */
async function businessPage(ctx: Context<'listBusinesses'>, cursors: Cursors): Promise<Page<Business>> {
  const { tx, principal, query, operationId } = ctx;
  const { limit = DEFAULT_LIMIT, environment = ctx.environment, sort = '-createdAt', registrationNumber } = query;
  if (!ctx.visible.includes(environment)) return { items: [], cursor: null, hasMore: false };
  ctx.setResourceEnvironment(environment);
  const binding = {
    tenantId: principal.tenantId,
    operationId,
    filters: { ...filtersOf(query), environment },
  };
  const filter = {
    environment,
    registrationNumber: registrationNumber === undefined ? undefined : normaliseTaxNumber(registrationNumber),
    externalId: query.externalId,
    createdAfter: instantParameter('createdAfter', query.createdAfter),
    createdBefore: instantParameter('createdBefore', query.createdBefore),
  };
  const rows = await listBusinesses(tx, filter, {
    direction: sort.startsWith('-') ? 'desc' : 'asc',
    after: query.cursor === undefined ? null : cursors.decode(binding, query.cursor),
    count: limit + 1,
  });
  return pageOf(rows, limit, (row) => row, { cursors, binding, positionOf: ({ createdAt, id }) => [createdAt, id] });
}

export const businessHandlers = ({ cursors }: { readonly cursors: Cursors }) =>
  ({
    createBusiness: async (ctx) => {
      const { tx, environment, body, timeIn, reply } = ctx;
      ctx.setResourceEnvironment(environment);
      const now = timeIn(environment).toISOString();
      const record: Business = {
        id: uuidv7(),
        environment,
        externalId: body.externalId ?? null,
        legalName: body.legalName,
        tradeName: body.tradeName ?? null,
        registration: recordRegistration(body.registration, environment),
        legalForm: body.legalForm,
        version: 1,
        createdAt: now,
        updatedAt: now,
        createdBy: actorOf(ctx.principal),
      };
      await insertBusiness(tx, record);
      ctx.audit('business.created', about(record), { legalForm: record.legalForm });
      return reply(201, record, { Location: `/v1/businesses/${record.id}` });
    },

    listBusinesses: async (ctx) => ctx.reply(200, await businessPage(ctx, cursors)),

    getBusiness: async (ctx) => {
      const found = await lookup(ctx).business(ctx.params.businessId).forReading();
      return ctx.reply(200, found, { ETag: etagOf(found.version) });
    },

    updateBusiness: async (ctx) => {
      const before = await lookup(ctx).business(ctx.params.businessId).forChange();
      assertMatch(ctx.headers['if-match'], before.version);
      const after: Business = {
        ...before,
        ...ctx.body,
        version: before.version + 1,
        updatedAt: ctx.timeIn(before.environment).toISOString(),
      };
      await storeBusiness(ctx.tx, after);
      ctx.audit(
        'business.updated',
        about(after),
        business.changed(before, after).map((member) => ({ op: 'replace', path: `/${member}` })),
      );
      return ctx.reply(200, after, { ETag: etagOf(after.version) });
    },
  }) satisfies Pick<HandlersOf<'businesses'>, 'createBusiness' | 'listBusinesses' | 'getBusiness' | 'updateBusiness'>;
