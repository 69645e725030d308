import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import type { Json } from '../../base/canonical-json.ts';
import {
  createDraft,
  type Definition,
  type DefinitionName,
  definitionsOf,
  keysOfKind,
  refusalOf,
  requestActivation,
  reviseDraft,
} from '../definitions/index.ts';
import { reviewListActivation } from './activation.ts';
import { presentList } from './present.ts';
import { listName, shippedKeys, storeShipped } from './versions.ts';

/** Highest number of lists in an environment. */
const MOST_LISTS = 200;

const about = ({ id }: Pick<Definition, 'id'>) => ({ type: 'reference_list', id }) as const;

/** Finds the version that is being prepared: a draft, or the one whose activation was requested. */
async function prepared(tx: Transaction, name: DefinitionName): Promise<Definition | undefined> {
  const versions = await definitionsOf(tx, name);
  return versions.find(({ status }) => status === 'draft' || status === 'pending_activation');
}

async function preparedOrNone({
  tx,
  environment,
  params,
  setResourceEnvironment,
}: Context<'activateReferenceList'> | Context<'reviewReferenceListActivation'>): Promise<Definition> {
  const draft = await prepared(tx, listName(environment, params.listId));
  if (draft === undefined) throw new Problem('not_found');
  setResourceEnvironment(environment);
  return draft;
}

/** Writes the draft of a list: revises the one that there is, or creates the next version. */
async function writeDraft(ctx: Context<'replaceReferenceList'>): Promise<Definition> {
  const { tx, environment, params, body, principal, now } = ctx;
  const name = listName(environment, params.listId);
  await storeShipped(tx, name);
  const draft = await prepared(tx, name);
  const document = body as unknown as Json;
  if (draft === undefined) {
    const keys = new Set([...shippedKeys('reference_list'), ...(await keysOfKind(tx, environment, 'reference_list'))]);
    if (!keys.has(params.listId) && keys.size >= MOST_LISTS)
      throw new Problem('not_found', {
        detail: `There are ${MOST_LISTS} lists, so no other one can be created.`,
      });
    return createDraft(tx, {
      ...name,
      document,
      createdBy: actorOf(principal),
      now,
    });
  }
  if (draft.status !== 'draft') throw refusalOf(draft);
  return reviseDraft(tx, draft.id, { document, ifMatch: undefined, now });
}

type Operations =
  | 'listReferenceLists'
  | 'getReferenceList'
  | 'replaceReferenceList'
  | 'activateReferenceList'
  | 'reviewReferenceListActivation';

export const listHandlers: Pick<Handlers, Operations> = {
  listReferenceLists: async (ctx) => {
    const { tx, query } = ctx;
    const { environment = ctx.environment } = query;
    if (!ctx.visible.includes(environment)) return ctx.reply(200, { items: [] });
    ctx.setResourceEnvironment(environment);
    const keys = new Set([...shippedKeys('reference_list'), ...(await keysOfKind(tx, environment, 'reference_list'))]);
    const lists = await Promise.all([...keys].sort().map((key) => presentList(tx, environment, key)));
    return ctx.reply(200, { items: lists.filter((list) => list !== null) });
  },

  getReferenceList: async (ctx) => {
    const { tx, query, params } = ctx;
    const { environment = ctx.environment } = query;
    const list = ctx.visible.includes(environment) ? await presentList(tx, environment, params.listId) : null;
    if (list === null) throw new Problem('not_found');
    ctx.setResourceEnvironment(environment);
    return ctx.reply(200, list);
  },

  replaceReferenceList: async (ctx) => {
    const { tx, environment, params } = ctx;
    const draft = await writeDraft(ctx);
    ctx.setResourceEnvironment(environment);
    ctx.audit('reference_list.drafted', about(draft), { listId: params.listId, checksum: draft.checksum });
    return ctx.reply(200, (await presentList(tx, environment, params.listId))!);
  },

  activateReferenceList: async (ctx) => {
    const { tx, environment, params, body, principal, now } = ctx;
    const draft = await preparedOrNone(ctx);
    const evidence = { backtestId: null, results: null, note: body.note ?? null };
    await requestActivation(tx, draft.id, {
      checksum: body.checksum,
      evidence,
      maker: principal,
      now,
    });
    ctx.audit('reference_list.activation_requested', about(draft), { listId: params.listId, checksum: draft.checksum });
    return ctx.reply(202, (await presentList(tx, environment, params.listId))!);
  },

  reviewReferenceListActivation: async (ctx) => {
    const { tx, environment, params } = ctx;
    const { outcome, definition, refusal } = await reviewListActivation(ctx, await preparedOrNone(ctx));
    const changes = { listId: params.listId, checksum: definition.checksum };
    if (outcome === 'confirmed') ctx.audit('reference_list.activated', about(definition), changes);
    else ctx.audit('reference_list.activation_returned', about(definition), changes);
    if (refusal !== null) throw refusal.keeping();
    return ctx.reply(200, (await presentList(tx, environment, params.listId))!);
  },
};
