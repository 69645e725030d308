/**
 * Measures the effect of hostile bodies, files and clients on other clients, in the milliseconds that are promised;
 * tests check only ratios.
 */
import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { Inspector } from '../../server/modules/documents/inspection/inspector.ts';
import { bodyLimitsOf } from '../../server/request/body-limits.ts';
import { at as quantile, besideStrangers, callersOf } from '../../test/support/calls-beside.ts';
import { jsonSchemaOf } from '../../test/support/contract.ts';
import { spent } from '../../test/support/processor-time.ts';
import { jpeg, pdf } from '../../test/support/specimens.ts';
import { asMembers, at, fullest, locationsOf, repeated, STUFFING } from '../../test/support/worst-bodies.ts';
import { amount, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { metric } from './service.ts';

const MiB = 2 ** 20;
const SEED = 20261122;
/** Limit of issue 9 for a body; an ordinary request takes one or two milliseconds. */
const MOST_WORK = '≤ 250 ms';
/** Longest time for which a file may block the thread that responds to requests. */
const LONGEST_INSPECTION = '≤ 500 ms';
/** Promise to other tenants during attacks by unauthenticated clients. */
const SLOWEST_HUNDREDTH = '≤ 100 ms';

export async function measureHostile(laboratory: Laboratory): Promise<Section[]> {
  return [await bodies(laboratory), await files(laboratory), await clients(laboratory)];
}

/** Operations that take JSON with an API key, at a path without an id. */
const targets = (Object.values(operations) as readonly Operation[]).filter(
  (operation) =>
    !operation.path.includes('{') &&
    !operation.humanOnly &&
    operation.security.some((one) => 'apiKey' in one) &&
    jsonSchemaOf(operation) !== null,
);

/**
 * Returns bodies with as many items as fit, at every array, map or object, and the fullest allowed body, with every
 * value invalid.
 */
function worstBodiesOf(operation: Operation): string[] {
  const schema = jsonSchemaOf(operation)!;
  const bytes = bodyLimitsOf(operation.operationId)?.bytes ?? 0;
  const stuffed = locationsOf(schema).flatMap(({ path, schema: { type } }) => {
    const room = { bytes: bytes - at(path, '[]').length };
    const types = [type].flat();
    return Object.values(STUFFING).flatMap((one) => {
      if (types.includes('array')) return [at(path, `[${repeated(one, room)}]`)];
      if (!types.includes('object')) return [];
      return [at(path, `{${repeated(asMembers(one), room)}}`)];
    });
  });
  return [...stuffed, JSON.stringify(fullest(schema, () => ({}))), `${' '.repeat(bytes - 2)}[]`];
}

async function bodies({ callers, startService, say, extent: { attacked } }: Laboratory): Promise<Section> {
  say('the worst bodies …');
  await using service = await startService();
  const headers = { ...(await callers[0]!.key(['admin'])), 'content-type': 'application/json' };
  // Measures processor time, which does not depend on other processes of the machine.
  const cpuSeconds = (): Promise<number> => metric(service, 'process_cpu_seconds_total');
  const taken: number[] = [];
  let accepted = 0;
  const chosen = targets.slice(0, attacked ?? targets.length);
  for (const operation of chosen) {
    for (const body of worstBodiesOf(operation)) {
      const before = await cpuSeconds();
      const answer = await fetch(service.url + operation.path, {
        method: operation.method.toUpperCase(),
        headers,
        body,
      });
      await answer.text();
      taken.push(((await cpuSeconds()) - before) * 1000);
      if (![400, 413, 422].includes(answer.status)) accepted++;
    }
  }
  taken.sort((one, other) => one - other);
  return {
    title: `the worst ${taken.length} bodies of ${chosen.length} operations, work of the service for each`,
    raw: taken,
    rows: [
      ['median', amount(quantile(taken, 0.5), 'ms')],
      ['the most', amount(quantile(taken, 1), 'ms'), MOST_WORK],
      ['not refused', amount(accepted, '', String(accepted)), '≤ 0'],
    ],
  };
}

async function files({ say }: Laboratory): Promise<Section> {
  say('files of 15 MiB …');
  const hostile: Readonly<Record<string, Buffer>> = {
    'a JPEG': Buffer.concat([jpeg().subarray(0, -2), Buffer.alloc(15 * MiB - 2048), Buffer.of(0xff, 0xd9)]),
    'a PDF of objects': Buffer.concat([pdf(), Buffer.from(' 1 0 obj[<</A 1>>]'.repeat((15 * MiB) / 20)), pdf()]),
    'a PDF of strings': Buffer.concat([pdf(), Buffer.from(' 1 0 obj('.repeat((15 * MiB) / 10)), pdf()]),
    'rubbish': Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(15 * MiB, ' 1 0 obj/'), Buffer.from('%%EOF')]),
  };
  const inspector = new Inspector();
  try {
    await inspector.inspect('warm', jpeg(), '');
    const rows: Row[] = [];
    for (const [what, bytes] of Object.entries(hostile))
      rows.push([
        what,
        amount(await spent(() => inspector.inspect('tenant', bytes, '').catch(() => null)), 'ms'),
        LONGEST_INSPECTION,
      ]);
    return {
      title: 'a file of 15 MiB is inspected: work of the thread that answers requests',
      rows,
      raw: rows.map(([, { value }]) => value),
    };
  } finally {
    inspector.close();
  }
}

/**
 * Measures callers of a tenant of their own: the bare server of other sections leaves incomplete records in its tenant.
 */
async function clients({
  database,
  tenantIn,
  startService,
  say,
  extent: { secondsPerTurn },
}: Laboratory): Promise<Section> {
  const seconds = secondsPerTurn * 20;
  say(`hostile clients for ${seconds} s …`);
  await using service = await startService({
    RATE_LIMIT_PAGES: '3000',
    RATE_LIMIT_FAILED_AUTHENTICATIONS: '100',
    RATE_LIMIT_LOGINS_PER_ADDRESS: '10',
  });
  const tenant = await tenantIn(database);
  const calls = callersOf(service.url, await tenant.key(['read', 'write']), await tenant.client(['read']));
  await calls(secondsPerTurn);
  const alone = await calls(seconds / 2);
  const [beside, rounds] = await besideStrangers(service.url, SEED, () => calls(seconds));
  const failures = [...alone.failures, ...beside.failures];
  return {
    title:
      'three callers of a tenant, alone and while strangers do their worst ' +
      `(${Object.values(rounds).reduce((sum, times) => sum + times, 0)} rounds of theirs)`,
    raw: { alone, beside, rounds },
    rows: [
      ['alone: 99 of 100', amount(quantile(alone.taken, 0.99), 'ms')],
      ['beside strangers: half take at most', amount(quantile(beside.taken, 0.5), 'ms')],
      ['beside strangers: 99 of 100', amount(quantile(beside.taken, 0.99), 'ms'), SLOWEST_HUNDREDTH],
      ['not served', amount(failures.length, '', [failures.length, ...new Set(failures)].join(' ')), '≤ 0'],
    ],
  };
}
