/**
 * Says in words who may call an operation. Used by the contract for readers. It follows from the members that the
 * server enforces, so it must not know more than they say.
 */
import type { Operation } from '../contract/contract.ts';

/** Names of the schemes for readers; a scheme that is not listed keeps its name. */
const SCHEMES: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  oauth2: 'OAuth 2.0 token',
  bearerAuth: 'Session of a person',
};

export function schemeTitle(scheme: string): string {
  return SCHEMES[scheme] ?? scheme;
}

const MACHINES: readonly (readonly [string, string])[] = [
  ['apiKey', 'API keys'],
  ['oauth2', 'OAuth 2.0 tokens'],
];

/** Least role, which represents everyone who is signed in: an operation that is open to it is open to all roles. */
const LEAST = 'viewer';
const PLATFORM = 'platform_admin';

/**
 * Returns who may call an operation, as a paragraph of Markdown. It states what the server decides from the contract
 * alone (`security`, `x-roles` and related members), so that descriptions need not repeat it.
 */
export function access(operation: Operation): string {
  return ['**Who may call it:**', machines(operation), ...people(operation)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function machines({ security, 'x-human-only': humanOnly }: Operation): string {
  if (security.length === 0) return 'Anybody: no credential is needed.';
  const admitted = MACHINES.filter(
    ([scheme]) => humanOnly !== true && security.some((requirement) => scheme in requirement),
  );
  if (admitted.length === 0) return 'No API key and no OAuth 2.0 token: only people who are signed in.';
  const scopes = [...new Set(security.flatMap((requirement) => Object.values(requirement).flat()))];
  const names = admitted.map(([, name]) => name).join(' and ');
  return scopes.length === 0
    ? `${names}.`
    : `${names} with the scope ${listed(
        scopes.map((scope) => `\`${scope}\``),
        'or',
      )}.`;
}

function people(operation: Operation): string[] {
  const { security, 'x-roles': roles = [] } = operation;
  if (!security.some((requirement) => 'bearerAuth' in requirement)) return [];
  return [
    `People who are signed in: ${whoOf(roles)}.`,
    operation['x-sealed'] === undefined ? '' : 'For everybody else it does not exist (404).',
    operation['x-self'] === undefined ? '' : 'Everybody who is signed in, for their own record.',
    operation['x-step-up'] === true ? 'A fresh second factor is asked for (`X-TOTP-Code`).' : '',
    operation['x-needs-full-data'] === true ? 'Nobody who is shown personal data masked.' : '',
  ];
}

function whoOf(roles: readonly string[]): string {
  const inTenant = roles.filter((role) => role !== PLATFORM);
  const staff = roles.includes(PLATFORM) ? ['platform staff'] : [];
  if (inTenant.includes(LEAST)) return listed(['every role', ...staff], 'and');
  return listed([...inTenant.map((role) => role.replaceAll('_', ' ')), ...staff], 'and');
}

function listed(items: readonly string[], conjunction: 'and' | 'or'): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}
