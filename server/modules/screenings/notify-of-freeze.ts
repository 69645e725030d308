/**
 * Mails the compliance officers that a hit was confirmed for which assets must be frozen. Called by the handler of
 * decisions, in the same transaction. The mail names the list and the time limit, not the person.
 */
import type { UserPrincipal } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { localeOf, type Outbox } from '../../providers/mail/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { watchListOf } from '../watch-lists/index.ts';
import type { Adjudicated } from './adjudicate.ts';
import { complianceOfficers } from './officer-store.ts';

interface Freeze {
  readonly decision: Adjudicated['decision'];
  readonly screeningId: string;
  readonly dueAt: Date;
}

/** Writes to all compliance officers (or owners, if there are none), in the transaction that confirms the hit. */
export async function notifyOfFreeze(
  { tx, principal }: { readonly tx: Transaction; readonly principal: UserPrincipal },
  mail: Outbox,
  { decision, screeningId, dueAt }: Freeze,
): Promise<void> {
  const [officers, { branding }] = await Promise.all([complianceOfficers(tx), readSettings(tx, principal.tenantId)]);
  for (const { email, name } of officers) {
    mail.queue(tx, {
      to: { address: email, name },
      locale: localeOf(branding.locale),
      template: 'sanctionConfirmed',
      values: {
        deciderName: principal.display,
        listTitle: watchListOf(decision.listId).title,
        screeningId,
        dueAt,
      },
    });
  }
}
