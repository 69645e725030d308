import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { environmentPage, type Page } from '../../request/pagination.ts';
import { FIRST_WORK, NO_DUE, type WorkEntry, type WorkKind, type WorkRow } from '../../tasks/work.ts';

interface Dependencies {
  /** What every module adds to the work of a person. */
  readonly work: readonly WorkEntry[];
}

type Found = WorkRow & { readonly kind: WorkKind; readonly environment: Environment };

/**
 * Merges what the modules list. Each lists one record more than the page shows, so the first ones of all of them are
 * the page, and no module reads more than a page.
 */
async function workPage(
  ctx: Context<'listWork'>,
  { work }: Dependencies,
): Promise<Page<components['schemas']['WorkItem']>> {
  const { tx, principal: caller } = ctx;
  const { kind: kinds = [] } = ctx.query;
  return environmentPage(ctx, {
    rows: async ({ environment, after: position, count }) => {
      const [dueAt, id] = position ?? [];
      const after = dueAt === undefined || id === undefined ? FIRST_WORK : { dueAt: String(dueAt), id: String(id) };
      const lists = await Promise.all(
        work
          .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
          .map(async ({ kind, list }) => {
            const rows = await list(tx, {
              environment,
              caller,
              after,
              count,
            });
            return rows.map((row): Found => ({ ...row, kind, environment }));
          }),
      );
      return lists.flat().sort(byDueDate).slice(0, count);
    },
    position: (found) => [found.dueAt ?? NO_DUE, found.id],
    item: (found) => ({
      ...found,
      overdue: found.dueAt !== null && Date.parse(found.dueAt) <= ctx.timeIn(found.environment).getTime(),
    }),
    bind: { userId: caller.userId },
  });
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
