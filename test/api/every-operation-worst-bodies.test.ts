/** Test of every operation with the bodies that cost most to check: none may block other requests. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Schema } from '../../scripts/contract/contract.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { bodyLimitsOf } from '../../server/request/body-limits.ts';
import { exampleCall } from '../support/calls.ts';
import { everyOperation, jsonSchemaOf, parametersOf } from '../support/contract.ts';
import { credentialOf } from '../support/credentials.ts';
import { each } from '../support/each.ts';
import { longestTurn, measuredYardstick } from '../support/longest-turn.ts';
import { useService, type Answer, type Credential } from '../support/service.ts';
import { tally } from '../support/tally.ts';
import {
  asMembers,
  at,
  fullest,
  type BodyLocation,
  HOSTILE,
  locationsOf,
  noTexts,
  type Piece,
  pointerOf,
  repeated,
  SHALLOW,
  STUFFING,
  textOf,
  ZEROS,
} from '../support/worst-bodies.ts';

/**
 * Limit of the longest turn, as a multiple of the time that the engine takes to read a mebibyte of texts. `make bench`
 * checks the promise of 250 ms; this checks that no body costs more than its bytes.
 */
const LONGEST_TURN = 4;
/** Margin of values beyond the limit of the reader. */
const SPARE = 100;

const service = await useService();

interface Target {
  readonly operation: Operation;
  readonly name: string;
  readonly schema: Schema;
  readonly bytes: number;
}

/** All operations that take JSON; new ones of the contract are included automatically. */
const targets: readonly Target[] = everyOperation.flatMap((operation) => {
  const schema = jsonSchemaOf(operation);
  if (schema === null) return [];
  const { operationId: name } = operation;
  return {
    operation,
    name,
    schema,
    bytes: bodyLimitsOf(name)?.bytes ?? 0,
  };
});

async function sender({ operation }: Target): Promise<(body: string) => Promise<Answer>> {
  const as: Credential = operation.security.length === 0 ? {} : await credentialOf(service.acme, operation);
  const { method, path } = exampleCall(operation);
  return (body) =>
    service.request(method, path, { as, body, headers: { 'Content-Type': operation.requestTypes[0] as string } });
}

/** Sends a body, once, so that the longest turn of any request counts. */
async function refused(send: (body: string) => Promise<Answer>, body: string, what: string): Promise<Answer> {
  let answer!: Answer;
  const turn = await longestTurn(async () => {
    answer = await send(body);
  });
  const times = turn / yardstick;
  longest = Math.max(longest, times);
  expect(times, `times the yardstick in one turn for ${what}`).toBeLessThan(LONGEST_TURN);
  const { status, body: problem, text } = answer;
  expect([4, what, text.slice(0, 500)]).toEqual([Math.floor(status / 100), what, text.slice(0, 500)]);
  expect(problem.errors?.length ?? 0).toBeLessThanOrEqual(100);
  expect(text.length).toBeLessThan(100_000);
  return answer;
}

const yardstick = measuredYardstick();
let longest = 0;
afterAll(() =>
  console.info(
    `the longest turn took ${longest.toFixed(1)} times the yardstick, which is ${yardstick.toFixed(0)} ms here`,
  ),
);

const rulesOf = (schema: Schema): string => JSON.stringify({ ...schema, description: '', examples: [] });
const isOf = ({ type }: Schema, ...types: readonly string[]): boolean =>
  [type].flat().some((one) => types.includes(one ?? ''));

/**
 * Places of texts, numbers and booleans, each with rules that no earlier operation has, because equal rules need no
 * second test.
 */
const scalars: readonly (Target & { readonly places: readonly BodyLocation[] })[] = distinct(targets);

function distinct(all: readonly Target[]): (Target & { readonly places: readonly BodyLocation[] })[] {
  const known = new Set<string>();
  return all
    .map((target) => ({
      ...target,
      places: locationsOf(target.schema).filter(
        ({ schema }) => !isOf(schema, 'array', 'object') && !known.has(rulesOf(schema)) && known.add(rulesOf(schema)),
      ),
    }))
    .filter(({ places }) => places.length > 0);
}

/** Whether every place is stuffed with everything, as in the long campaigns. */
const EVERY_PLACE = process.env['SOAK'] === 'true';
/** Largest body in which the rules of an array, a map or an object were stuffed with everything. */
const stuffedIn = new Map<string, number>();

/**
 * Returns what to stuff into a place: everything, or one thing if the same rules were stuffed in an equally large body
 * before.
 */
function stuffingFor(schema: Schema, bytes: number): readonly [string, Piece][] {
  const rules = rulesOf(schema);
  const all = Object.entries(STUFFING);
  if (!EVERY_PLACE && (stuffedIn.get(rules) ?? 0) >= bytes) return all.slice(0, 1);
  stuffedIn.set(rules, bytes);
  return all;
}

/** Largest body in which a scalar of a kind was replaced by as many digits, arrays or members as fit. */
const filledIn = new Map<string, number>();

/**
 * Returns whether no scalar that differs from this one only in its bounds was in an equally large body before: such
 * bounds do not change what something that is no text at all, or no short one, costs.
 */
function isNewKind(schema: Schema, bytes: number): boolean {
  const kind = JSON.stringify([schema.type, schema.format, schema.pattern, Object.keys(schema).sort()]);
  if (!EVERY_PLACE && (filledIn.get(kind) ?? 0) >= bytes) return false;
  filledIn.set(kind, bytes);
  return true;
}

/** Returns the error of a place that contains more than it may. */
function overfull(schema: Schema, pointer: string): string {
  if (isOf(schema, 'array')) return `${pointer} too_many_items`;
  return schema.properties === undefined ? `${pointer} too_many_members` : `${pointer}/0 unknown_field`;
}

describe('a body of the worst kind never blocks other requests', () => {
  const counted = tally('pairs of a place and what it is stuffed with were tried');

  it.each(targets)('at any array, map or object of $name', async (target) => {
    const send = await sender(target);
    for (const { path, schema, union } of each(
      locationsOf(target.schema).filter((place) => isOf(place.schema, 'array', 'object')),
    )) {
      const { maxItems, maxProperties } = schema;
      const pointer = pointerOf(path);
      const isArray = isOf(schema, 'array');
      const room = { bytes: target.bytes - at(path, '[]').length };
      const stuffing = stuffingFor(schema, target.bytes);
      counted(stuffing.length);
      for (const [stuff, one] of each(stuffing)) {
        const stuffed = (most: Parameters<typeof repeated>[1]) =>
          at(path, isArray ? `[${repeated(one, most)}]` : `{${repeated(asMembers(one), most)}}`);
        const most = isArray ? (maxItems ?? 0) : (maxProperties ?? 0);
        const bodies = [
          [stuffed({ times: most + SPARE }), 'what passes'],
          ...(stuffing.length > 1 ? [[stuffed(room), 'all the room'] as const] : []),
        ] as const;
        for (const [body, times] of bodies) {
          const what = `${stuff} at ${pointer}, ${times}`;
          const answer = await refused(send, body, what);
          const errors = (answer.body.errors ?? []).map((error) => `${error.pointer} ${error.code}`);
          const isNamed = errors.some((error) => error.startsWith(pointerOf(union ?? path)));
          if (SHALLOW.has(stuff) && union === undefined) expect(errors, what).toContain(overfull(schema, pointer));
          else expect(isNamed, what).toBe(true);
        }
      }
    }
  });

  it.each(scalars)('where $name has neither', async (target) => {
    const send = await sender(target);
    for (const { path, schema } of each(target.places)) {
      const room = target.bytes - at(path, '""').length;
      const length = Math.min(room, 12 * (schema.maxLength ?? 0) + 2);
      const values = [
        ['a text', textOf('a', room)] as const,
        ...(schema.maxLength === undefined
          ? []
          : HOSTILE.map((piece) => [`a text of ${piece}`, textOf(piece, length)] as const)),
        ...(isNewKind(schema, target.bytes) ? noTexts(room) : []),
      ];
      for (const [what, value] of values) await refused(send, at(path, value), `${what} at ${pointerOf(path)}`);
    }
  });

  it.each(targets)('when $name is as full as it may be', async (target) => {
    const send = await sender(target);
    const full = (wrong: (schema: Schema) => unknown) => JSON.stringify(fullest(target.schema, wrong));
    const bodies: [string, string][] = [
      ['numbers', full(({ type }) => ([type].flat().includes('string') ? 7 : 'x'))],
      ['objects', full(() => ({}))],
      ['texts', full(({ maxLength = 10 }) => '!'.repeat(maxLength + 1))],
    ];
    await refused(send, `${' '.repeat(target.bytes - 2)}[]`, 'white space');
    for (const [what, body] of bodies) {
      await refused(send, body, what);
      await refused(send, `${body.slice(0, -1)},"z":0,"z":1}`, `${what}, with a name twice at the end`);
      await refused(send, body.slice(0, -1), `${what}, without an end`);
      await refused(
        send,
        body.replace('{', `{${repeated(ZEROS, { times: SPARE })},`),
        `${what}, with a hundred members too many`,
      );
    }
  });

  it.each(targets)('when $name has a byte too many', async (target) => {
    const send = await sender(target);
    const answer = await refused(
      send,
      `{${repeated(ZEROS, { bytes: target.bytes })}}`.padEnd(target.bytes + 1),
      'a byte too many',
    );
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      413,
      'payload_too_large',
      `The body of this operation has at most ${target.bytes} bytes.`,
    ]);
    expect((await refused(send, '{"z":0}'.padEnd(target.bytes), 'all bytes')).status).toBe(422);
  });
});

describe('a form of the worst kind never blocks other requests', () => {
  const forms = everyOperation.filter(({ requestTypes }) => requestTypes.includes('application/x-www-form-urlencoded'));

  it.each(forms)('of $operationId', async (operation) => {
    const bytes = bodyLimitsOf(operation.operationId)?.bytes ?? 0;
    const { method, path } = exampleCall(operation);
    const send = (body: string) =>
      service.request(method, path, { body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
    const fields = (one: (i: number) => string) => repeated(one, { bytes }).replaceAll(',', '&');
    for (const [what, body] of [
      ['fields without a name', '='.repeat(bytes)],
      ['separators', '&'.repeat(bytes)],
      ['many fields', fields((i) => `${i.toString(36)}=`)],
      ['a field again and again', fields(() => 'a=b')],
      ['a long field', `grant_type=${'%C3%A9'.repeat(bytes / 7)}`],
      ['percent signs', '%'.repeat(bytes)],
    ] as const)
      await refused(send, body, what);
    // RFC 6749 §5.2 has no other status.
    expect(await send('a'.repeat(bytes + 1))).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: 'The body is too large.' },
    });
  });
});

describe('a head of the worst kind never blocks other requests', () => {
  const HEAD_BYTES = 12_000;
  /** Locations that are validated; a path was parsed earlier, and an invalid cookie is treated as missing. */
  const VALIDATED = new Set(['query', 'header']);
  const tried = new Set<string>();
  const heads = everyOperation.filter((operation) =>
    parametersOf(operation).some(({ in: place }) => VALIDATED.has(place)),
  );

  it.each(heads)('of $operationId', async (operation) => {
    const as = operation.security.length === 0 ? {} : await credentialOf(service.acme, operation);
    const { method, path, call } = exampleCall(operation);
    const texts = HOSTILE.map((piece) => encodeURIComponent(JSON.parse(`"${piece}"`) as string)).map(
      (piece) => `${piece.repeat(HEAD_BYTES / piece.length)}!`,
    );
    const send = async (query: string, headers: Readonly<Record<string, string>>, what: string) => {
      const answer = await refused(
        () => service.request(method, `${path}?${query}`, { ...call, as, headers: { ...call.headers, ...headers } }),
        '',
        what,
      );
      expect(answer.status, what).toBe(400);
    };
    await send(repeated((i) => `p${i}=`, { bytes: HEAD_BYTES }).replaceAll(',', '&'), {}, 'unknown parameters');
    for (const { name, in: place, schema } of parametersOf(operation)) {
      if (place === 'query')
        await send(`${name}=x&`.repeat(HEAD_BYTES / (name.length + 3)), {}, `${name}, again and again`);
      if (!VALIDATED.has(place) || tried.has(JSON.stringify(schema))) continue;
      tried.add(JSON.stringify(schema));
      for (const text of texts)
        await send(
          place === 'query' ? `${name}=${text}` : '',
          place === 'header' ? { [name]: text } : {},
          `${name} of ${text.slice(0, 10)}…`,
        );
    }
  });
});
