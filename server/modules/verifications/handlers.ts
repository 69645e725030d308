/**
 * The handlers of the operations under `/v1/verifications`: they take a typed request, call the rules beside them,
 * audit, and give a typed reply.
 */
import { type Context, type HandlersOf, withBodyRules, withPreparation } from '../../request/handler.ts';
import { environmentPage, orderOf, type Page } from '../../request/pagination.ts';
import { instantParameter } from '../../request/query.ts';
import { Problem } from '../../contract/problem.ts';
import type { InstalledProviders } from '../../providers/verification/index.ts';
import { auditInvalidated } from '../applications/index.ts';
import { contentDisposition, type Inspector, type Verdict } from '../documents/index.ts';
import { openBytes } from '../subject-keys/index.ts';
import { contextOfFrame, findFrame } from './challenge-store.ts';
import { framesOf, issueChallenge, presentChallenge, storeFrames } from './challenges.ts';
import { inputFaults } from './inputs.ts';
import { listVerifications } from './list-store.ts';
import { lookup } from './lookup.ts';
import { overrideVerification } from './override.ts';
import { present } from './present.ts';
import { startVerification } from './start.ts';
import { keyOf, opened } from './store.ts';
import { validateTaxId } from './tax-ids.ts';

interface Dependencies {
  readonly inspector: Inspector;
  readonly verificationProviders: InstalledProviders;
}

type Shown = ReturnType<typeof present>;
type Reading = Pick<
  Context<'getVerification'>,
  'tx' | 'principal' | 'visible' | 'sandboxEnabled' | 'setResourceEnvironment'
>;

async function shownVerification(ctx: Reading, id: string): Promise<Shown> {
  return present(opened(ctx.tx, await lookup(ctx).verification(id).forReading()), ctx);
}

async function verificationPage(ctx: Context<'listVerifications'>): Promise<Page<Shown>> {
  const { tx, query } = ctx;
  const { sort = '-createdAt', type = [], status = [], applicationId } = query;
  return environmentPage(ctx, {
    rows: ({ environment, after, count }) => {
      const filter = {
        environment,
        types: type,
        statuses: status,
        applicationId,
        createdAfter: instantParameter('createdAfter', query.createdAfter),
        createdBefore: instantParameter('createdBefore', query.createdBefore),
      };
      return listVerifications(tx, filter, { direction: orderOf(sort).direction, after, count });
    },
    position: ({ createdAt, id }) => [createdAt, id],
    item: (record) => present(record, ctx),
  });
}

export const verificationHandlers = ({ inspector, verificationProviders }: Dependencies) =>
  ({
    createVerification: withBodyRules<'createVerification'>(inputFaults, async (ctx) => {
      const { id } = await startVerification(ctx, verificationProviders);
      const { applicationId, type } = ctx.body;
      ctx.audit('verification.started', { type: 'verification', id }, { applicationId, type });
      return ctx.reply(202, await shownVerification(ctx, id));
    }),

    listVerifications: async (ctx) => ctx.reply(200, await verificationPage(ctx)),

    getVerification: async (ctx) => ctx.reply(200, await shownVerification(ctx, ctx.params.verificationId)),

    overrideVerification: async (ctx) => {
      const id = ctx.params.verificationId;
      const { application, invalidated } = await overrideVerification(ctx);
      // The result is left out, because it is personal data and the log cannot forget it.
      ctx.audit(
        'verification.overridden',
        { type: 'verification', id },
        { applicationId: application.id, reasonCode: ctx.body.reasonCode },
      );
      if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, application.id);
      return ctx.reply(200, await shownVerification(ctx, id));
    },

    createLivenessChallenge: async (ctx) => {
      const challenge = await issueChallenge(ctx);
      const { id, applicationId } = challenge;
      ctx.audit('challenge.issued', { type: 'liveness_challenge', id }, { applicationId });
      return ctx.reply(201, challenge, { Location: `/v1/verifications/liveness-challenges/${id}/frames` });
    },

    uploadFrames: withPreparation<'uploadFrames', readonly Verdict[]>(
      async ({ principal, files }) => {
        const verdicts: Verdict[] = [];
        for (const { bytes, declaredType } of framesOf(files))
          verdicts.push(await inspector.inspect(principal.tenantId, bytes, declaredType));
        return verdicts;
      },
      async (ctx, verdicts) => {
        const challenge = await storeFrames(ctx, verdicts);
        const { id, applicationId, frameCount, environment } = challenge;
        ctx.audit('challenge.consumed', { type: 'liveness_challenge', id }, { applicationId, frameCount });
        return ctx.reply(200, presentChallenge(challenge, ctx.timeIn(environment)));
      },
    ),

    downloadFrame: async (ctx) => {
      const { verificationId, number } = ctx.params;
      const row = await lookup(ctx).verification(verificationId).forReading();
      const sealed = row.challengeId === null ? null : await findFrame(ctx.tx, row.challengeId, Number(number));
      if (row.challengeId === null || sealed === null) throw new Problem('not_found');
      const data = openBytes(keyOf(ctx.tx, row), contextOfFrame(row.challengeId, Number(number)), sealed);
      ctx.audit(
        'verification.frame_downloaded',
        { type: 'verification', id: row.id },
        { applicationId: row.applicationId, number: Number(number) },
      );
      return ctx.reply(200, data, { 'Content-Disposition': contentDisposition(`frame-${number}.jpg`) });
    },

    validateTaxIds: (ctx) => {
      const { tenantId } = ctx.principal;
      ctx.setResourceEnvironment(ctx.environment);
      ctx.audit('tax_ids.validated', { type: 'tenant', id: tenantId }, { count: ctx.body.items.length });
      return ctx.reply(200, { items: ctx.body.items.map((item) => validateTaxId(item, ctx.environment)) });
    },
  }) satisfies HandlersOf<'verifications'>;
