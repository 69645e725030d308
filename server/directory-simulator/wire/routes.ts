import type { Answer, Asked } from './asked.ts';
import { listEventNotifications } from './event-notifications.ts';
import { listInfractionReports, listRefunds } from './lists.ts';
import type { DirectoryPolicy } from './policies.ts';
import type { Query } from './query.ts';
import { getFundsRecovery, getTrackingGraph, listRecoveryRefunds, listRecoveryReports } from './recoveries.ts';

export interface Route {
  readonly policy: DirectoryPolicy | null;
  readonly answer: (asked: Asked) => Promise<Answer>;
}

const base = '/api/v2';
const ofRecovery: Readonly<Record<string, (asked: Asked, id: string) => Promise<Answer>>> = {
  '': getFundsRecovery, '/tracking-graph': getTrackingGraph, '/infraction-reports': listRecoveryReports, '/refunds': listRecoveryRefunds,
};

/** What answers a path; null when nothing does. Policies are answered by whoever keeps the buckets. */
export function routeOf(path: string, query: Query): Route | null {
  switch (path) {
    case `${base}/event-notifications`: return { policy: 'EVENT_LIST', answer: listEventNotifications };
    case `${base}/infraction-reports/`: return {
      policy: query.text('IsReporter') === null && query.text('IsCounterparty') === null ? 'INFRACTION_REPORTS_LIST_WITHOUT_ROLE' : 'INFRACTION_REPORTS_LIST_WITH_ROLE',
      answer: listInfractionReports,
    };
    case `${base}/refunds/`: return { policy: 'REFUND_LIST_WITH_ROLE', answer: listRefunds };
  }
  const [, id, part = ''] = /^\/api\/v2\/funds-recoveries\/([\da-fA-F-]{36})(\/[a-z-]+)?$/.exec(path) ?? [];
  const handler = Object.hasOwn(ofRecovery, part) ? ofRecovery[part] : undefined;
  return id === undefined || handler === undefined ? null : { policy: null, answer: (asked) => handler(asked, id) };
}

/** The policy that a path asks for. */
export function policyOf(path: string): string | null {
  return /^\/api\/v2\/policies\/(\w{1,60})$/.exec(path)?.[1] ?? null;
}
