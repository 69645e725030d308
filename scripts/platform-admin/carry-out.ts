/**
 * Carries out an order about administrators of the platform. Called by the command. Works on the database directly, so
 * whoever may run it has full control.
 */
import { userInfo } from 'node:os';
import { type Config, readConfig } from '../../server/base/config.ts';
import { rememberedOrigin } from '../../server/base/data-directory.ts';
import { loadSecrets } from '../../server/base/secrets.ts';
import {
  addAdministrator,
  type CommandLineContext,
  removeAdministrator,
  resetAdministrator,
} from '../../server/modules/members/index.ts';
import { openServiceDatabase } from '../service-database.ts';

export interface Order {
  readonly what: 'invite' | 'remove' | 'reset';
  readonly email: string;
  readonly name: string;
}

class NobodyThere extends Error {
  override readonly name = 'NobodyThere';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs the order on the database that the environment names; returns the message for the operator. */
export async function carryOut(order: Order, env: Environment): Promise<string> {
  const config = readConfig(env);
  const database = await openServiceDatabase(config, loadSecrets(config));
  try {
    return await work(order, originOf(config, env), { database, now: new Date(), operator: userInfo().username });
  } finally {
    await database.close();
  }
}

async function work({ what, email, name }: Order, origin: string, outside: CommandLineContext): Promise<string> {
  if (what !== 'invite') {
    const found = await (what === 'remove' ? removeAdministrator : resetAdministrator)(outside, email);
    if (!found) throw new NobodyThere(`${email} does not administer the platform.`);
    return what === 'remove'
      ? `${email} does not administer the platform any more.`
      : `${email} sets up a new authenticator at the next sign-in.`;
  }
  const added = await addAdministrator(outside, { email, name });
  if (added.outcome === 'member') return `${email} administers the platform already.`;
  const begin = added.outcome === 'resent' ? 'A new link, and the old one is dead' : 'Invited';
  return (
    `${begin}: ${email} opens this once, until ${added.expiresAt.toISOString()}:\n\n` +
    `  ${origin}/invitation#token=${added.token}\n`
  );
}

/** Returns the origin that the environment names, else where the service was last reached, else the default. */
function originOf({ publicUrl, host, port, dataDir }: Config, env: Environment): string {
  const isNamed = ['PUBLIC_URL', 'PORT'].some((name) => (env[name] ?? '') !== '');
  const remembered = isNamed ? null : rememberedOrigin(dataDir);
  return (remembered ?? publicUrl)?.replace(/\/$/, '') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
