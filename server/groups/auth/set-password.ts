import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import type { AuthParts } from './parts.ts';
import { verifyPassword } from './password.ts';
import { mailTo, weaknessesFor, type Person } from './person.ts';
import { removeResets } from './store/password-resets.ts';
import { findFormerPasswords, replacePassword } from './store/passwords.ts';

export async function assertStrong(person: Person, password: string): Promise<void> {
  const reasons = await weaknessesFor(person, password);
  if (reasons.length > 0) throw new Problem('weak_password', { reasons });
}

/** Whether it is one of the last five. One hash after the other: the gate has a place for each. */
export async function isReused({ database }: AuthParts, { user, passwordHash }: Person, password: string): Promise<boolean> {
  const former = await database.platform({ tenantId: null, readOnly: true }, (tx) => findFormerPasswords(tx, user.id));
  for (const hash of passwordHash === null ? former : [passwordHash, ...former]) if (await verifyPassword(hash, password)) return true;
  return false;
}

/** False when it was changed meanwhile. Links to reset it die with the old one, and its owner is told. */
export async function setPassword(tx: Transaction, { mail }: AuthParts, { user, passwordHash, policies }: Person, newHash: string, now: Date): Promise<boolean> {
  if (!await replacePassword(tx, user.id, passwordHash, newHash, now)) return false;
  await removeResets(tx, user.id);
  mail.queue(tx, { ...mailTo(user, policies), template: 'passwordChanged', values: { at: now } });
  return true;
}
