/** Tests of named, compiled statements. */
import { describe, expect, it } from 'vitest';
import { sql } from './sql.ts';
import { knex, statement } from './statement.ts';

describe('statement', () => {
  it('compiles once and binds each parameter wherever it occurs', () => {
    const find = statement<{ id: string; at: Date }>('unit.find', (p) =>
      knex('document')
        .select('id')
        .where({ id: p.id, status: 'uploaded' })
        .where(sql`created_at < ${p.at} OR updated_at < ${p.at}`),
    );
    expect(find.text).toBe(
      'select "id" from "document" where "id" = $1 and "status" = $2 and created_at < $3 OR updated_at < $4',
    );
    const at = new Date(0);
    expect(find.bind({ id: 'x', at })).toEqual(['x', 'uploaded', at, at]);
  });

  it('refuses a missing value instead of binding NULL', () => {
    const find = statement<{ id: string }>('unit.missing', (p) => knex('document').where({ id: p.id }));
    expect(() => find.bind({} as { id: string })).toThrow('unit.missing lacks a value for id');
  });

  it('refuses one name for two texts', () => {
    statement('unit.twice', () => knex('document').select('id'));
    expect(() => statement('unit.twice', () => knex('document').select('side'))).toThrow(
      'two statements are named unit.twice',
    );
  });
});
