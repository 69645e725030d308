/**
 * Handlers by which staff of the platform upload watch lists and return proposals, registered by the index of the
 * module. Everything happens in the transaction of the request, so the version, the audit event and the response agree.
 */
import { Problem } from '../../contract/problem.ts';
import type { HandlersOf } from '../../request/handler.ts';
import { watchLists, watchListShown } from './present.ts';
import { returnProposal } from './proposals.ts';
import { listIn, lockImports, upload } from './upload.ts';

export const listUploadHandlers = {
  listWatchLists: async ({ tx, now, reply }) => reply(200, { items: await watchLists(tx, now) }),

  uploadWatchList: async (ctx) => {
    const listId = listIn(ctx.params.listId);
    ctx.setResourceEnvironment('live');
    return ctx.reply(202, await upload(ctx, listId));
  },

  returnWatchListProposal: async (ctx) => {
    const { tx, principal, body, now, audit, reply } = ctx;
    const listId = listIn(ctx.params.listId);
    ctx.setResourceEnvironment('live');
    await lockImports(tx, listId);
    const returned = await returnProposal(tx, listId, { ...body, by: principal, now });
    if (returned === null) throw new Problem('proposal_not_pending');
    const { version, sha256 } = returned;
    audit('list.version_returned', { type: 'screening_list', id: listId }, { version, sha256 });
    return reply(200, await watchListShown(tx, listId, now));
  },
} satisfies Partial<HandlersOf<'admin'>>;
