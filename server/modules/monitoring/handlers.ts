/**
 * Handlers of the operations on subscriptions, alerts, coverage and the algorithm, registered by the index of the
 * module. They call the rules, write the audit events and present the records.
 */
import type { components } from '../../contract/generated/types.ts';
import { auditJoined } from '../cases/index.ts';
import { type Context, type HandlersOf, withBodyRules } from '../../request/handler.ts';
import { environmentPage, orderOf, type Page } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { instantParameter } from '../../request/query.ts';
import { reasonFaults } from '../../rules/reasons.ts';
import { namedSubject } from '../../rules/subject.ts';
import { screeningLists } from '../screenings/index.ts';
import { listRuns, type Subscription, subscription } from '../subscriptions/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { algorithmState, releaseAlgorithm } from './algorithm.ts';
import { changeSubscription, createSubscription, runNow } from './change-subscription.ts';
import { coverage } from './coverage-store.ts';
import { listAlerts, listSubscriptions } from './list-store.ts';
import { lookup } from './lookup.ts';
import { present, presentAlert, presentInList } from './present.ts';
import { creationFaults, updateFaults } from './subscription-faults.ts';
import { triage } from './triage.ts';

type Schemas = components['schemas'];

const about = ({ id }: { readonly id: string }) => ({ type: 'monitoring_subscription', id }) as const;

async function shownSubscription(
  { tx }: Pick<Context<'getSubscription'>, 'tx'>,
  found: Subscription,
): Promise<Schemas['Subscription']> {
  return present(found, await listRuns(tx, found.id));
}

async function subscriptionPage(ctx: Context<'listSubscriptions'>): Promise<Page<ReturnType<typeof presentInList>>> {
  const { tx, query, timeIn } = ctx;
  const { sort = '-createdAt', status = [], check, applicationId, businessId, overdue } = query;
  return environmentPage(ctx, {
    rows: ({ environment, after, count }) => {
      const filter = {
        environment,
        statuses: status,
        check,
        applicationId,
        businessId,
        overdue,
        createdAfter: instantParameter('createdAfter', query.createdAfter),
        createdBefore: instantParameter('createdBefore', query.createdBefore),
      };
      return listSubscriptions(tx, filter, timeIn(environment), { ...orderOf(sort), after, count });
    },
    position: ({ createdAt, id }) => [createdAt, id],
    item: presentInList,
  });
}

async function alertPage(ctx: Context<'listAlerts'>): Promise<Page<Schemas['Alert']>> {
  const { tx, query, timeIn } = ctx;
  const { status = [], severity = [], kind = [], applicationId, businessId, slaBreached } = query;
  const order = orderOf(query.sort ?? '-lastSeenAt');
  return environmentPage(ctx, {
    rows: ({ environment, after, count }) => {
      const filter = {
        environment,
        statuses: status,
        severities: severity,
        kinds: kind,
        applicationId,
        businessId,
        slaBreached,
      };
      return listAlerts(tx, filter, timeIn(environment), { ...order, after, count });
    },
    position: (row) => [row[order.by], row.id],
    item: (row) => presentAlert(row, ctx),
  });
}

export const monitoringHandlers = () =>
  ({
    createSubscription: withBodyRules<'createSubscription'>(creationFaults, async (ctx) => {
      const id = await createSubscription(ctx);
      const found = await lookup(ctx).subscription(id).forReading();
      ctx.audit('monitoring.subscribed', about(found), { ...namedSubject(found), checks: found.checks });
      return ctx.reply(201, await shownSubscription(ctx, found), { Location: `/v1/monitoring/subscriptions/${id}` });
    }),

    listSubscriptions: async (ctx) => ctx.reply(200, await subscriptionPage(ctx)),

    getSubscription: async (ctx) => {
      const found = await lookup(ctx).subscription(ctx.params.subscriptionId).forReading();
      return ctx.reply(200, await shownSubscription(ctx, found), { ETag: etagOf(found.version) });
    },

    updateSubscription: withBodyRules<'updateSubscription'>(updateFaults, async (ctx) => {
      const { before, after } = await changeSubscription(ctx);
      const toStatus = after.status === 'paused' ? 'monitoring.paused' : 'monitoring.resumed';
      const action = before.status === after.status ? 'monitoring.changed' : toStatus;
      ctx.audit(
        action,
        about(after),
        Object.fromEntries(
          subscription
            .changed(before, after)
            .flatMap((member) => (member === 'tenantId' ? [] : [[member, after[member]]])),
        ),
      );
      return ctx.reply(200, await shownSubscription(ctx, after), { ETag: etagOf(after.version) });
    }),

    runSubscription: async (ctx) => {
      const found = await runNow(ctx);
      ctx.audit('monitoring.run', about(found));
      return ctx.reply(202, await shownSubscription(ctx, found));
    },

    listAlerts: async (ctx) => ctx.reply(200, await alertPage(ctx)),

    triageAlert: withBodyRules<'triageAlert'>(
      ({ outcome, reasonCode }) => reasonFaults('alert', outcome, { '/reasonCode': reasonCode }),
      async (ctx) => {
        const { alert, joined } = await triage(ctx);
        ctx.audit(
          'alert.triaged',
          { type: 'monitoring_alert', id: alert.id },
          { status: alert.status, outcome: alert.outcome!, reasonCode: alert.reasonCode! },
        );
        if (joined !== null) auditJoined(ctx.audit, joined);
        return ctx.reply(200, presentAlert(alert, ctx));
      },
    ),

    getCoverage: async ({ tx, principal: { tenantId }, environment, now, timeIn, setResourceEnvironment, reply }) => {
      setResourceEnvironment(environment);
      const [
        counted,
        {
          screening: { defaultLists },
        },
        lists,
        algorithm,
      ] = await Promise.all([
        coverage(tx, environment, timeIn(environment)),
        readSettings(tx, tenantId),
        screeningLists(tx, environment, now),
        algorithmState(tx, environment),
      ]);
      const listsThat = (are: (list: (typeof lists)[number]) => boolean): string[] =>
        lists.filter((list) => are(list) && defaultLists.includes(list.id)).map(({ id }) => id);
      return reply(200, {
        environment,
        asOf: timeIn(environment).toISOString(),
        ...counted,
        staleLists: listsThat(({ isStale }) => isStale),
        oldPublications: listsThat(({ isPublicationOld }) => isPublicationOld),
        incompleteLists: listsThat(({ quarantinedNames }) => (quarantinedNames ?? 0) > 0),
        algorithm,
      });
    },

    releaseAlgorithm: async (ctx) => {
      ctx.setResourceEnvironment(ctx.environment);
      const state = await releaseAlgorithm(ctx);
      const { algorithmVersion, rehearsed, newHits, subjectsWithNewHits } = state;
      ctx.audit(
        'monitoring.algorithm_released',
        { type: 'tenant', id: ctx.principal.tenantId },
        {
          algorithmVersion,
          rehearsed,
          newHits,
          subjectsWithNewHits,
        },
      );
      return ctx.reply(200, state);
    },
  }) satisfies HandlersOf<'monitoring'>;
