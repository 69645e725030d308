/** Operations that show what happened in an instance: its history, and its drawing with what was passed. */
import type { Context, Handlers } from '../../request/handler.ts';
import { listPage, type Page } from '../../request/pagination.ts';
import { draw, type Mark } from '../../workflow/drawing/draw.ts';
import type { Drawing } from '../../workflow/drawing/drawing.ts';
import { listHistory, passedElements } from './history-store.ts';
import type { Instance } from './instance-store.ts';
import { lookup } from './lookup.ts';
import { drawingOf } from './model-store.ts';
import { presentHistoryEntry } from './present.ts';

async function historyPage(ctx: Context<'listWorkflowHistory'>): Promise<Page<ReturnType<typeof presentHistoryEntry>>> {
  return listPage(ctx, {
    rows: async ({ after, count }) => {
      const { id } = await lookup(ctx).instance(ctx.params.workflowInstanceId).forReading();
      return listHistory(ctx.tx, id, { after: after && Number(after[0]), count });
    },
    position: ({ number }) => [number],
    item: presentHistoryEntry,
  });
}

/** Returns how each element is marked: what is under way hides that it was passed before. */
function marksOf({ state }: Instance, passed: readonly string[]): ReadonlyMap<string, Mark> {
  const executions = state?.executions ?? [];
  return new Map<string, Mark>([
    ...passed.map((id) => [id, 'passed'] as const),
    ...executions.map(({ node }) => [node, 'active'] as const),
    ...executions.filter(({ incident }) => incident !== undefined).map(({ node }) => [node, 'stopped'] as const),
  ]);
}

/** Returns an answer with a drawing as a file of its own, which no browser shows inside a page of the service. */
export const drawn = (drawing: Drawing, marks: ReadonlyMap<string, Mark>): Buffer => Buffer.from(draw(drawing, marks));

type Operations = 'listWorkflowHistory' | 'downloadWorkflowInstanceDiagram';

export const historyHandlers: Pick<Handlers, Operations> = {
  listWorkflowHistory: async (ctx) => ctx.reply(200, await historyPage(ctx)),

  downloadWorkflowInstanceDiagram: async (ctx) => {
    const found = await lookup(ctx).instance(ctx.params.workflowInstanceId).forReading();
    const [drawing, passed] = await Promise.all([
      drawingOf(ctx.tx, found.definitionId),
      passedElements(ctx.tx, found.id),
    ]);
    return ctx.reply(200, drawn(drawing, marksOf(found, passed)), {
      'Content-Disposition': 'attachment; filename="instance.svg"',
    });
  },
};
