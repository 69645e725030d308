import { knex, sql, statement, withinTenant, type Transaction } from '../database/index.ts';
import type { Role } from '../contract/principal.ts';
import { invite } from '../groups/auth/index.ts';
import { localeOf } from '../providers/mail/index.ts';
import type { Services } from '../services.ts';

/** Somebody who can join, and the link with which they do. */
export interface DemoInvitation {
  readonly email: string;
  readonly name: string;
  readonly invitationId: string;
  readonly expiresAt: string;
  /** Null once they have joined. */
  readonly link: string | null;
}

export interface Invitee {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** A link that is read off the screen should not end while it is. */
const LEAST_LIFE = 3_600_000;

const findState = statement<{ tenantId: string; id: string }, { accepted: boolean }>('demo.invitation', (p) =>
  knex('invitation').select(sql`(accepted_at IS NOT NULL) AS accepted`).where({ tenant_id: p.tenantId, id: p.id }));

/** Invites by mail as the service does, and answers the link too: a demo without a mail server shows it. */
export async function inviteForDemo(tx: Transaction, { mail }: Services, { tenant, email, name, role }: Invitee, origin: string, now: Date): Promise<DemoInvitation> {
  const within = withinTenant(tx, tenant.id);
  const result = await invite(within, { tenantId: tenant.id, email, name, role, invitedBy: { type: 'system', id: 'demo', display: 'Demo' }, now });
  if (result.outcome === 'member') return { email, name, invitationId: '', expiresAt: now.toISOString(), link: null };
  const { token, invitation: { id, expiresAt } } = result;
  mail.queue(within, { to: { address: email, name }, locale: localeOf('en'), template: 'ownerInvitation', values: { tenantName: tenant.name, token, expiresAt } });
  return { email, name, invitationId: id, expiresAt: expiresAt.toISOString(), link: `${origin}/invitation#token=${token}` };
}

/** The same invitation at a later start: with its link, with a new one in place of one that has ended, or without when it was accepted. */
export async function renewed(tx: Transaction, services: Services, invitee: Invitee, before: DemoInvitation, origin: string, now: Date): Promise<DemoInvitation> {
  const [state] = await withinTenant(tx, invitee.tenant.id).run(findState, { tenantId: invitee.tenant.id, id: before.invitationId });
  if (before.link === null || state?.accepted === true) return { ...before, link: null };
  if (Date.parse(before.expiresAt) - now.getTime() < LEAST_LIFE) return inviteForDemo(tx, services, invitee, origin, now);
  return { ...before, link: `${origin}/invitation${new URL(before.link).hash}` };
}
