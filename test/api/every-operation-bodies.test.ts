/** Test that the table of calls, which other tests use, has every member of every body. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { arrange, callOf } from '../operations.ts';
import { send, validCalls } from '../support/calls.ts';
import { everyOperation, schemaOfBody, takesBody } from '../support/contract.ts';
import { useService } from '../support/service.ts';
import { locationsOf } from '../support/worst-bodies.ts';

const service = await useService({ directory: true });

/** Returns the value at a path of a body; the first item stands for all items. */
function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[step] : undefined,
    body,
  );
}

describe('the table of calls', () => {
  const taking = everyOperation.filter(takesBody);

  it.each(taking)(
    'contains every member of the body of $operationId, twice and differently, or says why not',
    async (operation) => {
      const { body, otherBody, given } = await arrange(service, service.acme, operation);
      const { except = {} } = callOf(operation);
      // Paths below an array or a map, and the map itself, are examined at its beginning.
      const places = locationsOf(schemaOfBody(operation)!)
        .map(({ path }) => path)
        .filter((path) => path.length > 0 && !path.includes('0') && !path.includes('entry'));
      const pointers = new Map(places.map((path) => [`/${path.join('/')}`, path]));
      const unexplained = [...pointers].filter(([pointer, path]) => {
        if (path[0]! in given || Object.keys(except).some((one) => pointer === one || pointer.startsWith(`${one}/`)))
          return false;
        const [one, other] = [valueAt(body, path), valueAt(otherBody, path)];
        return isDeepStrictEqual(one, other);
      });
      expect(unexplained.map(([pointer]) => pointer)).toEqual([]);
      expect(
        Object.keys(except).filter((pointer) => !pointers.has(pointer)),
        'explained without need',
      ).toEqual([]);
    },
  );

  it.each(taking)('succeeds with either body: $operationId', async (operation) => {
    for (const which of [0, 1] as const) {
      const answer = await send(service, (await validCalls(service, service.acme, operation))[which]);
      expect(answer.status, `${which} ${answer.text}`).toBeLessThan(300);
    }
  });
});
