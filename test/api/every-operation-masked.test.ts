/**
 * Test of every operation that reads: two tenants that differ only in masked data look the same to a reader who sees it
 * masked. Any difference is a leak.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation, OperationId, Role } from '../../server/contract/operation.ts';
import { arrange, type Ready } from '../operations.ts';
import { success } from '../support/api.ts';
import { readyCall, send } from '../support/calls.ts';
import { everyOperation } from '../support/contract.ts';
import { personOf, schemesOf, scopesOf } from '../support/credentials.ts';
import { each } from '../support/each.ts';
import { type Answer, type Credential, type Tenant, type TestService, useService } from '../support/service.ts';
import { tally } from '../support/tally.ts';
import { ownListCsv } from '../support/watch-lists.ts';
import { ANYBODY, otherwise } from './other-persons.ts';

/** Calls whose notes the audit log shows, because the contract asks them to name nobody. */
const NAMES_NOBODY = /^\/v1\/workflows\/(?!definitions)/;
/** Areas that show the caller's own credentials, which are random. */
const OWN_CREDENTIALS: ReadonlySet<string> = new Set(['auth', 'oauth']);
/** Operations without a stable order: the directory of a sandbox orders simultaneous events by itself. */
const WITHOUT_ORDER: ReadonlySet<OperationId> = new Set(['listFundsRecoveryTimeline']);
const compared = everyOperation.filter(
  ({ operationId, tag, security }) =>
    security.length > 0 && !OWN_CREDENTIALS.has(tag) && !WITHOUT_ORDER.has(operationId),
);
const MASKED_ROLES: readonly Role[] = ['admin', 'developer', 'viewer'];

/** Returns the same service, but changes every sent body. */
function withChangedBodies(service: TestService, change: (body: unknown, path: string) => unknown): TestService {
  const api = new Proxy(service.api, {
    get: (target, method) => {
      const call = target[method as 'POST'] as unknown as (path: string, init?: { body?: unknown }) => Promise<unknown>;
      return typeof call === 'function'
        ? (path: string, init?: { body?: unknown }) =>
            call(path, init && { ...init, ...('body' in init && { body: change(init.body, path) }) })
        : call;
    },
  });
  return { ...service, api };
}

/** Members that differ between two tenants in any case; each value is replaced by a placeholder. */
const KEYED: ReadonlySet<string> = new Set(
  (
    'hash prevHash leafHash rootHash headHash previousCheckpointHash subjectKey signature cursor durationMs ' +
    'intervalSeconds slug externalId sizeBytes nonce actions ' +
    // The registration of a company is public, and each is recorded once.
    'registration ' +
    // How often keys were used is written in the background.
    'requests24h prefixes'
  ).split(' '),
);
const RANDOM: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '(id)'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)'],
  [/kyc_(?:live|test)_[\w-]+/g, '(key)'],
  // The checksum of a process, whose name is random.
  [/"path":"\/checksum","value":"[0-9a-f]{64}"/g, '(checksum)'],
  [/[0-9A-F]{8}0001\d\d/g, '(cnpj)'],
  [/\*{3}[\dA-Za-z]+\*\*/g, '(number)'],
  [/[DE]\d{8}[0-9a-f]{15,}/g, '(transaction)'],
  [/(?<![0-9a-f])[0-9a-f]{12,16}(?![0-9a-f])/g, '(random)'],
];
/** Hashes of an exported log, which depend on random ids. */
const CHAINED = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;
const withoutRandom = (text: string): string =>
  RANDOM.reduce((all, [pattern, name]) => all.replace(pattern, name), text);

/** Tasks append their events to the audit log when they run, so the order and the numbers of events differ. */
const isLog = (items: unknown): items is { prevHash?: unknown; sequence: number }[] =>
  Array.isArray(items) && items.length > 0 && items.every((item) => item instanceof Object && 'prevHash' in item);

function normalised(text: string): string {
  if (!text.startsWith('{'))
    return withoutRandom(text)
      .replaceAll(CHAINED, '(hash)')
      .split('\n')
      .map((line) => line.replace(/^\d+,/, '(sequence),'))
      .sort()
      .join('\n');
  const known = JSON.parse(text, (name, value: unknown) =>
    KEYED.has(name) && value !== null ? `(${name})` : value,
  ) as {
    items?: unknown;
  };
  if (!isLog(known.items)) return withoutRandom(JSON.stringify(known));
  const events = known.items.map(({ sequence: _, ...event }) => withoutRandom(JSON.stringify(event))).sort();
  return [withoutRandom(JSON.stringify({ ...known, items: null })), ...events].join('\n');
}

const VARYING = /^(?:date|x-request-id|ratelimit.*|content-length|keep-alive|x-poll-interval)$/;
const shownIn = ({ status, headers, text }: Answer<unknown>): unknown => ({
  status,
  headers: Object.fromEntries(
    [...headers].filter(([name]) => !VARYING.test(name)).map(([name, value]) => [name, normalised(value)]),
  ),
  text: normalised(text),
});

const takesKey = (operation: Operation): boolean => schemesOf(operation).includes('apiKey');
const maskedRolesOf = (operation: Operation): readonly Role[] =>
  operation.method === 'get' || !takesKey(operation)
    ? MASKED_ROLES.filter((role) => operation.roles.includes(role))
    : [];

/** Returns every caller who may call and sees persons masked: a key, and a person of each role. */
async function readersOf(
  tenant: Tenant,
  operation: Operation,
): Promise<readonly (readonly [who: string, as: Credential])[]> {
  const key = takesKey(operation)
    ? [['key', await tenant.key(scopesOf(operation, 'apiKey'), { personalData: 'masked' })] as const]
    : [];
  const people: (readonly [Role, Credential])[] = [];
  for (const role of maskedRolesOf(operation)) people.push([role, await personOf(tenant, operation, role)]);
  return [...key, ...people];
}

const service = await useService({ directory: true });
const [plain, other] = [
  withChangedBodies(service, (body) => otherwise(body, {}, ANYBODY, {})),
  withChangedBodies(service, (body, path) => (NAMES_NOBODY.test(path) ? body : otherwise(body))),
];
const [one, another] = [await service.tenant(), await service.tenant()];
const [listing, otherListing] = [await service.tenant(), await service.tenant()];

/** Creates a screened person who is on the own list of the tenant. */
async function listed(tenant: Tenant, entry: string): Promise<string> {
  const headers = await tenant.user('compliance_officer', { secondFactor: true });
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(ownListCsv([entry]))]));
  // Without a version, the list would be named after its checksum.
  body.set('version', 'first');
  await service.request('PUT', '/v1/screenings/lists/own', { as: headers, body });
  const [, , name = '', , dateOfBirth = ''] = entry.split(',');
  const answer = await success(
    service.api.POST('/v1/screenings', {
      headers: await tenant.key(['screening']),
      body: { subject: { type: 'person', names: [name], dateOfBirth } },
    }),
    201,
  );
  return answer.body.id;
}

const screenings: Record<'one' | 'another', string> = { one: '', another: '' };
beforeAll(async () => {
  screenings.one = await listed(
    listing,
    'c-52998224725,person,Heitor Montalvão,Tito Montalvão,1969-02-01,BR,52998224725,watchlist,Was dismissed for theft',
  );
  screenings.another = await listed(
    otherListing,
    'c-11144477735,person,Hilda Moura,Tina Morais,1969-08-09,BR,11144477735,watchlist,Owes the shop money',
  );
});

describe('two tenants that are equal but for what is masked', () => {
  const counted = tally('answers were equal');

  it.each(compared.filter((operation) => takesKey(operation) || maskedRolesOf(operation).length > 0))(
    'answer a reader who sees persons masked equally: $operationId',
    async (operation) => {
      const [ready, theirs] = [await arrange(plain, one, operation), await arrange(other, another, operation)];
      for (const [who, as] of each(await readersOf(ready.tenant, operation))) {
        const [, otherAs] = (await readersOf(theirs.tenant, operation)).find(([name]) => name === who)!;
        const answer = await call(operation, { ...ready, as }, ready.body);
        const otherAnswer = await call(
          operation,
          { ...theirs, as: otherAs },
          ready.body && { ...ready.body, ...theirs.given },
        );
        expect(shownIn(otherAnswer), who).toEqual(shownIn(answer));
        expect(`${answer.text}${otherAnswer.text}`, who).not.toContain('sha256:');
        counted();
      }
    },
  );

  it.each(['key', 'viewer'])('show what is on their own lists equally to a %s', async (who) => {
    const asOf = (tenant: Tenant): Promise<Credential> =>
      who === 'key' ? tenant.key(['screening'], { personalData: 'masked' }) : tenant.user('viewer');
    const read = async (tenant: Tenant, path: string): Promise<unknown> => {
      const answer = await service.request<{ readonly hits?: readonly { entityFingerprint: string }[] }>('GET', path, {
        as: await asOf(tenant),
      });
      // The fingerprint is keyed, with another key for each tenant.
      for (const hit of answer.body.hits ?? []) hit.entityFingerprint = '(fingerprint)';
      return shownIn({ ...answer, text: JSON.stringify(answer.body) });
    };
    const shown = await read(listing, `/v1/screenings/${screenings.one}`);
    expect(JSON.stringify(shown)).toContain('watchlist');
    expect(await read(otherListing, `/v1/screenings/${screenings.another}`)).toEqual(shown);
    expect(await read(otherListing, '/v1/screenings/lists')).toEqual(await read(listing, '/v1/screenings/lists'));
  });

  const person: readonly OperationId[] = ['getApplication', 'listApplications'];
  it.each(compared.filter(({ operationId }) => person.includes(operationId)))(
    'answer a reader who sees persons in full otherwise: $operationId',
    async (operation) => {
      const answers = await Promise.all(
        (
          [
            [plain, one],
            [other, another],
          ] as const
        ).map(async ([on, tenant]) => {
          const ready = await arrange(on, tenant, operation);
          return call(operation, ready, ready.body);
        }),
      );
      expect(shownIn(answers[0]!)).not.toEqual(shownIn(answers[1]!));
    },
  );
});

function call(operation: Operation, ready: Ready, body: object | undefined): Promise<Answer<unknown>> {
  return send(service, readyCall(operation, ready, body));
}
