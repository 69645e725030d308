/**
 * Mails the compliance officers of a tenant about new urgent alerts of live mode. Called by the job `monitoring.tell`
 * for each tenant. Alerts are marked in the same transaction that queues the mail, so none is announced twice and none
 * is lost.
 */
import type { Database } from '../../database/index.ts';
import { localeOf, type Outbox } from '../../providers/mail/index.ts';
import { complianceOfficers } from '../screenings/index.ts';
import { takeUnannounced } from '../subscriptions/index.ts';
import { readSettings } from '../tenant-settings/index.ts';

interface Dependencies {
  readonly database: Database;
  readonly mail: Outbox;
  readonly clock: () => Date;
}

/**
 * Writes to the compliance officers of a tenant about new urgent live alerts, in one letter for all of them, because a
 * new entry of a list may concern a thousand customers. The letter contains counts and no names. Returns the number of
 * alerts.
 */
export function notifyOfAlerts({ database, mail, clock }: Dependencies, tenantId: string): Promise<number> {
  return database.transaction({ tenantId }, async (tx) => {
    const alerts = await takeUnannounced(tx, clock());
    if (alerts.length === 0) return 0;
    const [officers, { branding }] = await Promise.all([complianceOfficers(tx), readSettings(tx, tenantId)]);
    const dueAt = new Date(Math.min(...alerts.map(({ slaDueAt }) => Date.parse(slaDueAt))));
    for (const { email, name } of officers) {
      mail.queue(tx, {
        to: { address: email, name },
        locale: localeOf(branding.locale),
        template: 'alertsRaised',
        values: {
          count: alerts.length,
          critical: alerts.filter(({ severity }) => severity === 'critical').length,
          dueAt,
        },
      });
    }
    return alerts.length;
  });
}
