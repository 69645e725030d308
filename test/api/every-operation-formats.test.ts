/** Test that each format and pattern of the contract is enforced, in every body and parameter. */
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../scripts/contract/contract.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { success } from '../support/api.ts';
import { exampleCall, send } from '../support/calls.ts';
import {
  dereferenced,
  everyOperation,
  exampleBodies,
  isPublic,
  jsonSchemaOf,
  parametersOf,
} from '../support/contract.ts';
import { credentialOf } from '../support/credentials.ts';
import { each } from '../support/each.ts';
import { useService } from '../support/service.ts';
import { type BodyLocation, locationsOf, pointerOf } from '../support/worst-bodies.ts';
import { samplesOf, WORDS } from './text-samples.ts';

type Problem = components['schemas']['Problem'];

const service = await useService();

/** Returns the body with the value at a path; creates the objects and lists on the way. */
function withValue(body: unknown, path: readonly string[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (step === '0') return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const object = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return { ...object, [step]: withValue(object[step], rest, value) };
}

/** Returns whether the length of a text is accepted, because a wrong length is refused before its form counts. */
const fits = ({ minLength = 0, maxLength = Infinity }: Schema, text: string): boolean =>
  [...text].length >= minLength && [...text].length <= maxLength;

const sites = everyOperation.flatMap((operation) => {
  const schema = jsonSchemaOf(operation);
  if (schema === null) return [];
  const places = locationsOf(schema).filter(
    (place) =>
      !place.path.includes('entry') &&
      // The example of a risk model scores by tables and bands, so a condition beside them is no part of its form.
      !place.path.includes('expr') &&
      samplesOf(place.schema) !== undefined,
  );
  return places.length === 0 ? [] : [{ operation, name: operation.operationId, places }];
});

async function ask(operation: Operation, { path }: BodyLocation, value: string) {
  const call = exampleCall(operation);
  const example = exampleBodies(operation).find(({ mediaType }) => mediaType.endsWith('json'));
  const as = isPublic(operation) ? {} : await credentialOf(service.acme, operation);
  const body = JSON.stringify(withValue({ ...example?.value, beside: 1 }, path, value));
  const answer = await send<Problem>(service, call, {
    as,
    body,
    headers: { 'Content-Type': operation.requestTypes[0]! },
  });
  // A body that contains the character NUL is refused as a whole.
  if (value.includes('\0')) return [answer.body.code];
  expect([answer.status, value], answer.text.slice(0, 300)).toEqual([422, value]);
  return (answer.body.errors ?? []).filter(({ pointer }) => pointer === pointerOf(path)).map(({ code }) => code);
}

/** Returns whether a value is a network, which the handlers validate after the schema. */
const isNetwork = ({ schema }: BodyLocation): boolean => schema['x-must-be']?.includes('CIDR') === true;

describe('what the contract promises of a text is enforced', () => {
  it('for every pattern whose words this table explains', () => {
    const words = new Set([
      ...sites.flatMap(({ places }) => places.map(({ schema }) => schema['x-must-be'])),
      ...everyOperation.flatMap((operation) =>
        parametersOf(operation).map(({ schema }) => dereferenced(schema)['x-must-be']),
      ),
    ]);
    words.delete(undefined);
    expect([...words].filter((word) => !Object.hasOwn(WORDS, word!))).toEqual([]);
  });

  it.each(sites)('in every member of $name that states a format or a pattern', async ({ operation, places }) => {
    const texts = places.flatMap((place) =>
      Object.entries(samplesOf(place.schema)!).flatMap(([which, values]) =>
        values.filter((value) => fits(place.schema, value)).map((value) => ({ place, which, value })),
      ),
    );
    for (const { place, which, value } of each(
      texts.filter((text) => text.which === 'right' || !isNetwork(text.place) || text.value === '203.0.113.0'),
    )) {
      const codes = await ask(operation, place, value);
      const what = `${pointerOf(place.path)} ${value}`;
      const faults = codes.filter((code) => ['pattern', 'format'].includes(code));
      if (which === 'wrong') expect(codes, what).not.toEqual([]);
      else expect(faults, what).toEqual([]);
    }
  });

  const withParameters = everyOperation.flatMap((operation) =>
    parametersOf(operation).flatMap(({ name, in: place, schema }) => {
      const described = dereferenced(schema);
      const text = described.type === 'array' ? dereferenced(described.items!) : described;
      if (place !== 'query' || samplesOf(text) === undefined) return [];
      return {
        operation,
        id: operation.operationId,
        name,
        schema: text,
      };
    }),
  );

  it.each(withParameters)('in the parameter $name of $id', async ({ operation, name, schema }) => {
    const as = isPublic(operation) ? {} : await credentialOf(service.acme, operation);
    const { path, method } = exampleCall(operation);
    for (const value of each(samplesOf(schema)!.wrong.filter((text) => fits(schema, text)))) {
      const answer = await service.request<Problem>(method, `${path}?${name}=${encodeURIComponent(value)}`, { as });
      expect([answer.status, value, answer.body.errors?.[0]?.parameter]).toEqual([400, value, name]);
    }
  });
});

/** Returns a later and an earlier value of a schema. */
function laterAndEarlier({ type, format }: Schema): readonly [later: unknown, earlier: unknown] {
  if (type === 'integer') return [7, 6];
  if (format === 'date') return ['2020-05-02', '2020-05-01'];
  return ['2020-05-01T00:00:00+03:00', '2020-04-30T20:59:59Z'];
}

describe('members that are in order', () => {
  const ordered = everyOperation.flatMap((operation) => {
    const schema = jsonSchemaOf(operation);
    return (schema === null ? [] : locationsOf(schema)).flatMap(
      ({ path, schema: { 'x-in-order': pairs = [], properties = {} } }) =>
        pairs.map(([first, second]) => ({
          operation,
          id: operation.operationId,
          path,
          first: first!,
          second: second!,
          kind: [properties[first!]!]
            .flatMap((member) => [member, ...(member.oneOf ?? [])])
            .map(dereferenced)
            .find(({ type }) => type !== undefined && type !== 'null')!,
        })),
    );
  });

  it('are a date, an instant or a number each', () => {
    expect(ordered.map(({ id, first }) => `${id} ${first}`)).toEqual(
      expect.arrayContaining(['createApplication since', 'createAuditExport from', 'createAuditExport fromSequence']),
    );
  });

  it('are checked in the result of a patch, which may change one of the two alone', async () => {
    const as = await service.acme.key(['write']);
    const pepDeclaration = {
      isPep: true,
      role: 'Mayor',
      relationship: 'self',
      since: '2020-05-02',
    } as const;
    const created = await success(
      service.api.POST('/v1/applications', {
        headers: as,
        body: { purpose: 'account_opening', applicant: { fullName: 'Maria da Silva', pepDeclaration } },
      }),
    );
    const answer = await service.request<Problem>('PATCH', `/v1/applications/${created.body.id}`, {
      as,
      body: { applicant: { pepDeclaration: { until: '2020-05-01' } } },
    });
    expect([answer.status, answer.body.errors?.map(({ pointer, message }) => [pointer, message])]).toEqual([
      422,
      [['/applicant/pepDeclaration/until', 'must not be before since']],
    ]);
  });

  it.each(ordered)(
    'may be equal, and the later one is refused if it is earlier: $first and $second of $id',
    async ({ operation, path, first, second, kind }) => {
      const [later, earlier] = laterAndEarlier(kind);
      const call = exampleCall(operation);
      const as = await credentialOf(service.acme, operation);
      const errorsOf = async (one: unknown, other: unknown) => {
        const body = JSON.stringify(
          withValue({ ...exampleBodies(operation)[0]?.value, beside: 1 }, path, { [first]: one, [second]: other }),
        );
        const answer = await send<Problem>(service, call, {
          as,
          body,
          headers: { 'Content-Type': operation.requestTypes[0]! },
        });
        return (answer.body.errors ?? [])
          .filter(({ code }) => code === 'range')
          .map(({ pointer, message }) => [pointer, message]);
      };
      expect(await errorsOf(later, earlier)).toEqual([[pointerOf([...path, second]), `must not be before ${first}`]]);
      expect(await errorsOf(earlier, later)).toEqual([]);
      expect(await errorsOf(later, later)).toEqual([]);
    },
  );
});
