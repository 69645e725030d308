/**
 * Grants and revokes platform administration. It works without the service's API, because the first administrator has
 * no other administrator who could invite them. Used by the program scripts/platform-admin.ts.
 */
import { parseArgs } from 'node:util';
import { assertAddress } from '../../server/providers/mail/index.ts';
import type { Order } from './carry-out.ts';

const HELP = `Invite an administrator of the platform, who creates, suspends and closes tenants.

Usage: node scripts/platform-admin.mjs --email <address> --name <name>
       node scripts/platform-admin.mjs --email <address> --reset-second-factor
       node scripts/platform-admin.mjs --email <address> --remove
       make platform-admin EMAIL=<address> NAME=<name>

Prints a link that works once and for seven days. Its bearer chooses a password, and then has to set up an authenticator
before anything else. Run it again to replace a link that was not used yet.

  --reset-second-factor   for who lost authenticator and recovery codes: ends their sessions, and they set up a new one
  --remove                ends their sessions and keeps them out

The service may run or not. Environment: DATA_DIR, DATABASE_URL, SERVICE_SECRET, and for the link PUBLIC_URL or HOST and
PORT, as for the service itself (npx node server/main.ts --help).

Exit status: 0 done, also for who administers the platform already; 1 it could not be done; 2 wrong options.`;

class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Errors that the operator can fix are printed as one sentence, all others with their stack trace. */
const PLAIN = ['UsageError', 'NobodyThere', 'ConfigError', 'EmbeddedDatabaseError', 'DatabaseUnavailable'];

/** Runs the command with these arguments and this environment; returns the exit status. */
export async function platformAdmin(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  try {
    const order = readOrder([...args]);
    // Loaded only now, because the service is large and neither help nor the report of a wrong option needs it.
    console.log(order === null ? HELP : await (await import('./carry-out.ts')).carryOut(order, env));
    return 0;
  } catch (error) {
    const { name, message } = error as Error;
    console.error(PLAIN.includes(name) ? `${message}${name === 'UsageError' ? ' (--help says more)' : ''}` : error);
    return name === 'UsageError' ? 2 : 1;
  }
}

function readOrder(args: string[]): Order | null {
  const { help, email, name = '', remove, 'reset-second-factor': reset } = options(args);
  if (help) return null;
  if (email === undefined || email === '')
    throw new UsageError('Say whom: EMAIL=<address> make platform-admin, or --email <address>.');
  if (!isAddress(email)) throw new UsageError('The address is none that mail could be sent to.');
  if (remove && reset) throw new UsageError('Choose --remove or --reset-second-factor.');
  const whatElse = reset ? 'reset' : 'invite';
  const what = remove ? 'remove' : whatElse;
  if (what === 'invite' && !/^[^\p{Cc}]{1,120}$/u.test(name.trim()))
    throw new UsageError('Say what they are called, in 1 to 120 characters: NAME=<name> or --name <name>.');
  return { what, email, name: name.trim() };
}

function options(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        help: { type: 'boolean', default: false },
        email: { type: 'string' },
        name: { type: 'string' },
        remove: { type: 'boolean', default: false },
        'reset-second-factor': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0]);
  }
}

function isAddress(email: string): boolean {
  try {
    return assertAddress(email) === email;
  } catch {
    return false;
  }
}
