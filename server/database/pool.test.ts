/** Tests of the connection pool and of the conversion of values. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { silent } from '../../test/support/silent.ts';
import { createPool, timestamp, wireTypes } from './pool.ts';

describe('values from the database', () => {
  it.each([
    ['2026-01-31 09:05:00+00', '2026-01-31T09:05:00.000Z'],
    ['2026-01-31 09:05:00.1+00', '2026-01-31T09:05:00.100Z'],
    ['2026-01-31 09:05:00.123+00', '2026-01-31T09:05:00.123Z'],
    ['2026-01-31 06:05:00.12-03', '2026-01-31T09:05:00.120Z'],
  ])('writes the timestamp %s as %s', (text, wire) => expect(timestamp(text)).toBe(wire));

  it('refuses a 64-bit integer that a number cannot hold', () => {
    const parse = wireTypes.getTypeParser(20) as (text: string) => unknown;
    expect(parse('9007199254740991')).toBe(9007199254740991);
    expect(() => parse('9007199254740993')).toThrow(RangeError);
  });
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it.each([
  ['while it is handed out', false],
  ['after it was thrown away', true],
])('a connection that breaks %s does not end the process', async (_when, thrownAway) => {
  const { pool, close } = createPool(database.app, { size: 1, log: silent });
  const client = await pool.connect();
  if (thrownAway) client.release(new Error('broken'));
  expect(() =>
    client.emit('error', new Error('terminating connection due to unexpected postmaster exit')),
  ).not.toThrow();
  if (!thrownAway) client.release();
  await close();
});
