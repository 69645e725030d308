/** Reads the letters that the service has queued. Used by tests that follow links of mails. */
import { setTimeout } from 'node:timers/promises';
import type { QueuedLetter } from '../../server/providers/mail/index.ts';
import type { Services } from '../../server/request/services.ts';

/** Returns the newest letter to the address, opened as for delivery; fails if there is none. */
export async function latestMail(
  { mail, database }: Pick<Services, 'mail' | 'database'>,
  address: string,
): Promise<QueuedLetter> {
  const letter = await findMail({ mail, database }, address);
  if (letter === null) throw new Error(`there is no mail to ${address}`);
  return letter;
}

export function findMail(
  { mail, database }: Pick<Services, 'mail' | 'database'>,
  address: string,
): Promise<QueuedLetter | null> {
  return mail.latest(database, address);
}

/** Waits for mail that the service queues after its response. */
export async function awaitMail(services: Pick<Services, 'mail' | 'database'>, address: string): Promise<QueuedLetter> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const letter = await findMail(services, address);
    if (letter !== null) return letter;
    await setTimeout(20);
  }
  return latestMail(services, address);
}

/** Returns the secret of the link in the letter. */
export function tokenIn(letter: QueuedLetter): string {
  const token = /#token=(\S+)/.exec(letter.text)?.[1];
  if (token === undefined) throw new Error('the letter has no link with a token');
  return decodeURIComponent(token);
}
