import type { Database } from '../../database/index.ts';
import { localeOf, type Outbox } from '../../providers/mail/index.ts';
import { complianceOfficers } from '../screenings/index.ts';
import { takeUntold } from '../subscriptions/index.ts';
import { readSettings } from '../tenant-settings/index.ts';

interface Telling {
  readonly database: Database;
  readonly mail: Outbox;
  readonly clock: () => Date;
}

/**
 * Writes to those who answer for compliance of a tenant that there are live alerts which cannot wait, in one letter however many they are: a new entry of a list may concern a thousand customers. It counts
 * alerts and names nobody. How many alerts it has told of.
 */
export function tellOfAlerts({ database, mail, clock }: Telling, tenantId: string): Promise<number> {
  return database.transaction({ tenantId }, async (tx) => {
    const alerts = await takeUntold(tx, clock());
    if (alerts.length === 0) return 0;
    const [officers, { branding }] = await Promise.all([complianceOfficers(tx), readSettings(tx, tenantId)]);
    const dueAt = new Date(Math.min(...alerts.map(({ slaDueAt }) => Date.parse(slaDueAt))));
    for (const { email, name } of officers) {
      mail.queue(tx, {
        to: { address: email, name }, locale: localeOf(branding.locale), template: 'alertsRaised',
        values: { count: alerts.length, critical: alerts.filter(({ severity }) => severity === 'critical').length, dueAt },
      });
    }
    return alerts.length;
  });
}
