import type { components } from '../../contract/generated/types.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { type Cursors, DEFAULT_LIMIT, filtersOf, type Page, pageOf } from '../../request/pagination.ts';
import { FIRST_WORK, NO_DUE, type WorkEntry, type WorkKind, type WorkRow } from '../../tasks/work.ts';

interface Dependencies {
  readonly cursors: Cursors;
  /** What every module adds to the work of a person. */
  readonly work: readonly WorkEntry[];
}

type Found = WorkRow & { readonly kind: WorkKind };

/**
 * Merges what the modules list. Each lists one record more than the page shows, so the first ones of all of them are
 * the page, and no module reads more than a page.
 */
async function workPage(
  ctx: Context<'listWork'>,
  { cursors, work }: Dependencies,
): Promise<Page<components['schemas']['WorkItem']>> {
  const { tx, principal: caller, query, operationId } = ctx;
  const { limit = DEFAULT_LIMIT, environment = ctx.environment, kind: kinds = [] } = query;
  if (!ctx.visible.includes(environment)) return { items: [], cursor: null, hasMore: false };
  ctx.setResourceEnvironment(environment);
  const binding = {
    tenantId: caller.tenantId,
    operationId,
    filters: { ...filtersOf(query), environment, userId: caller.userId },
  };
  const [dueAt, id] = query.cursor === undefined ? [] : cursors.decode(binding, query.cursor);
  const after = dueAt === undefined || id === undefined ? FIRST_WORK : { dueAt: String(dueAt), id: String(id) };
  const wanted = work.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  const lists = await Promise.all(
    wanted.map(async ({ kind, list }): Promise<Found[]> => {
      const rows = await list(tx, {
        environment,
        caller,
        after,
        count: limit + 1,
      });
      return rows.map((row) => ({ ...row, kind }));
    }),
  );
  const now = ctx.timeIn(environment).getTime();
  return pageOf(
    lists
      .flat()
      .sort(byDueDate)
      .slice(0, limit + 1),
    limit,
    (found) => ({ ...found, environment, overdue: found.dueAt !== null && Date.parse(found.dueAt) <= now }),
    { cursors, binding, positionOf: (found) => [found.dueAt ?? NO_DUE, found.id] },
  );
}

function byDueDate(one: Found, other: Found): number {
  const due = ({ dueAt }: Found): number => (dueAt === null ? Number.POSITIVE_INFINITY : Date.parse(dueAt));
  const [a, b] = [due(one), due(other)];
  if (a !== b) return a < b ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

export const workHandlers = (dependencies: Dependencies) =>
  ({
    listWork: async (ctx) => ctx.reply(200, await workPage(ctx, dependencies)),
  }) satisfies Pick<Handlers, 'listWork'>;
