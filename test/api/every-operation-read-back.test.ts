/**
 * Test of every operation with a body: each member that was sent is read back from the record and the list, and is
 * stored sealed in the columns that the tables declare as sealed.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tables } from '../../server/database/table.ts';
import { arrange, type Ready } from '../operations.ts';
import { everyOperation, takesBody } from '../support/contract.ts';
import { encode } from '../support/encode.ts';
import { startTestService, type TestService } from '../support/service.ts';
import type { Answered, ReadBack } from './read-back.ts';
import { atItsPath, filled, notReadBack, readBackAt } from './read-back-locations.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ directory: true });
});
afterAll(() => service.stop());

const withBody = everyOperation.filter(takesBody);
const readable = withBody
  .filter(({ operationId }) => !(operationId in notReadBack))
  .map((written) => ({
    written,
    id: written.operationId,
    where: readBackAt[written.operationId] ?? atItsPath(written),
  }));

/** Returns every value of a body by its JSON pointer; a list is one value. */
function leavesOf(value: unknown, pointer = ''): [pointer: string, value: unknown][] {
  if (
    value === null ||
    typeof value !== 'object' ||
    Array.isArray(value) ||
    Buffer.isBuffer(value) ||
    value instanceof Uint8Array
  )
    return [[pointer, value]];
  return Object.entries(value).flatMap(([member, inner]) => leavesOf(inner, `${pointer}/${member}`));
}

const at = (record: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value, member) => (value as Answered | null | undefined)?.[member], record);

/** Returns the members whose values differ from what was written, with the values of the record. */
function lost(record: unknown, body: object, { as = (own) => own, writeOnly = {} }: ReadBack): Record<string, unknown> {
  const read = leavesOf(body).filter(
    ([pointer]) =>
      !Object.keys(writeOnly).some((excluded) => pointer === excluded || pointer.startsWith(`${excluded}/`)),
  );
  const shown = as(record as Answered);
  const differing = read
    .map(([pointer, written]) => [pointer, written, at(shown, pointer)] as const)
    .filter(([, written, found]) => !isDeepStrictEqual(comparable(found), comparable(written)));
  return Object.fromEntries(differing.map(([pointer, written, found]) => [pointer, { written, found }]));
}

/** Normalises a value: the order of scopes and similar lists has no meaning, and letters of numbers become capitals. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [...value].sort();
  return typeof value === 'string' ? value.toUpperCase() : value;
}

/** Finds texts in the clear in the columns that the tables declare as sealed. An erasure empties a text. */
const IN_THE_CLEAR = tables
  .flatMap((table) =>
    table.members.flatMap((member): string[] => {
      const { type, traits } = table.columns[member]!;
      const column = table.nameOf(member);
      const found = (text: string, items = ''): string =>
        `SELECT '${table.name}.${column}' AS column, ${text} AS text FROM ${table.name}${items}
          WHERE ${text} <> '' AND left(${text}, 1) <> chr(1)`;
      if (traits.sealed === true) return type === 'text' ? [found(column)] : [];
      if (traits.sealed === null) return [];
      return [found(`item->>'${traits.sealed.each}'`, `, jsonb_array_elements(${column}) item`)];
    }),
  )
  .join(' UNION ALL ');

it('knows of every operation with a body where it is read back, or why not', () => {
  expect(
    readable.filter(({ where }) => where === null).map(({ id }) => id),
    'name them in `readBackAt` or in `notReadBack`',
  ).toEqual([]);
  const named = [...Object.keys(readBackAt), ...Object.keys(notReadBack)];
  expect(
    named.filter((id) => !withBody.some(({ operationId }) => operationId === id)),
    'these have no body',
  ).toEqual([]);
});

describe.each(readable.flatMap(({ where, ...of }) => (where === null ? [] : [{ ...of, where }])))(
  '$id',
  ({ id, written, where }) => {
    it.each(['body', 'otherBody'] as const)(
      'stores every member of its %s for readers of the record and the list, sealed where a table says so',
      async (which) => {
        const ready: Ready = await arrange(service, await service.tenant(), written);
        const { params, as, headers } = ready;
        const body = ready[which] ?? {};
        const { headers: encoding = {}, ...sent } = encode({ mediaType: written.requestTypes[0] ?? '', value: body });
        const answer = await service.request<Answered>(written.method.toUpperCase(), filled(written.path, params), {
          ...sent,
          as,
          headers: { ...encoding, ...headers },
        });
        expect(answer.status, answer.text).toBeLessThan(300);
        expect(await service.database.sql(IN_THE_CLEAR), 'texts in the clear').toEqual([]);
        const reader =
          id === 'updateSettings' || written.sealed.length > 0 || written.path.startsWith('/v1/admin/')
            ? as
            : await ready.tenant.user('owner');
        if (where.get !== undefined) {
          const [pathOf, recordOf] = where.get;
          const { body: found } = await service.request<Answered>('GET', pathOf(answer.body, params), { as: reader });
          expect(lost(recordOf(found, answer.body, params), body, where), 'what is read').toEqual({});
        }
        if (where.list !== undefined) {
          const [listed, member, value] = where.list;
          const {
            body: { items },
            text,
          } = await service.request<{ items: Answered[] }>('GET', filled(listed, params), { as: reader });
          const item = items.find((record) => record[member] === value(answer.body, params));
          expect(item, text).toBeDefined();
          expect(lost(item, body, where), 'what is listed').toEqual({});
        }
      },
    );
  },
);
