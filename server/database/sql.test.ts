/** Tests of the `sql` template tag. */
import { describe, expect, it } from 'vitest';
import { every, joined, sql } from './sql.ts';
import { knex, statement } from './statement.ts';

const compiled = (fragment: ReturnType<typeof sql>) => {
  const { sql: text, bindings } = fragment.toSQL().toNative();
  return { text, bindings };
};

describe('sql', () => {
  it('binds interpolated values in the order of the text, also from nested fragments', () => {
    const old = sql`created_at < ${'2026-01-01'}`;
    expect(
      compiled(sql`SELECT ${sql`id`} FROM document WHERE type = ${'other'} AND (${old}) AND side = ${'front'}`),
    ).toEqual({
      text: 'SELECT id FROM document WHERE type = $1 AND (created_at < $2) AND side = $3',
      bindings: ['other', '2026-01-01', 'front'],
    });
  });

  it('never takes a value for SQL', () => {
    expect(compiled(sql`SELECT ${`x'; DROP TABLE tenant; --`}`)).toEqual({
      text: 'SELECT $1',
      bindings: [`x'; DROP TABLE tenant; --`],
    });
  });

  it('does not change the question marks of operators', () => {
    expect(compiled(sql`SELECT changes ? ${'a'} AND path @? '$.b'`)).toEqual({
      text: `SELECT changes ? $1 AND path @? '$.b'`,
      bindings: ['a'],
    });
    expect(compiled(sql`SELECT ${sql`a ?| b`}`).text).toBe('SELECT a ?| b');
  });

  it('writes whole numbers into the text and binds the others', () => {
    expect(compiled(sql`SELECT ${1.5} LIMIT ${20}`)).toEqual({ text: 'SELECT $1 LIMIT 20', bindings: [1.5] });
  });

  it('binds an array as one value', () => {
    expect(compiled(sql`status = ANY (${['draft', 'expired']})`)).toEqual({
      text: 'status = ANY ($1)',
      bindings: [['draft', 'expired']],
    });
  });

  it('may contain a query of Knex, and be part of one', () => {
    const query = knex('document').select('id').where(sql`side = ${'front'}`);
    expect(compiled(sql`SELECT count(*) FROM ${query} d`)).toEqual({
      text: 'SELECT count(*) FROM (select "id" from "document" where side = $1) d',
      bindings: ['front'],
    });
  });

  it('binds the parameters of a named statement by name, however often and in whatever order they occur', () => {
    const find = statement<{ id: string; from: Date }>(
      'unit.sql',
      (p) => sql`SELECT 1 WHERE b > ${p.from} AND ${sql`a = ${p.id}`} AND c < ${p.from}`,
    );
    expect(find.text).toBe('SELECT 1 WHERE b > $1 AND a = $2 AND c < $3');
    const from = new Date(0);
    expect(find.bind({ id: 'x', from })).toEqual([from, 'x', from]);
  });
});

it('joins fragments, and refuses an empty list', () => {
  expect(compiled(joined([sql`a = ${'1'}`, sql`b`], ', '))).toEqual({ text: 'a = $1, b', bindings: ['1'] });
  expect(() => joined([], ', ')).toThrow('nothing to join');
});

it('requires every condition of the list, and nothing if the list is empty', () => {
  expect(compiled(every([sql`a`, false, sql`b = ${'x'}`]))).toEqual({ text: 'a AND b = $1', bindings: ['x'] });
  expect(compiled(every([false])).text).toBe('true');
});
