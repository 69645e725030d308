/** Tests of table definitions: selections, inserts, updates and comparisons. */
import type { RealTime, RealTimestamp } from '../base/time.ts';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { sql } from './sql.ts';
import { statement } from './statement.ts';
import {
  boolean,
  code,
  type InsertOf,
  instant,
  integer,
  json,
  type RecordOf,
  type RowOf,
  Table,
  text,
  timestamp,
  type UpdateOf,
  uuid,
} from './table.ts';

/** Table that is not created by `table`, because the database has no such table. */
const letter = new Table(
  'letter',
  {
    id: uuid(),
    kind: code<'open' | 'sealed'>().changes('it is closed'),
    note: text().nullable().sealed().erasedTo(null).changes('somebody writes'),
    sentAt: instant().nullable().changes('it is sent'),
    pages: json<readonly string[]>().unaudited().erasedTo([]).changes('somebody writes'),
    isRead: boolean()
      .defaulted('unless an insert sets the value')
      .named('was_read')
      .changes({ platform: 'it is read' }),
    version: integer().defaulted().unaudited().changes('each change has a number'),
    createdAt: timestamp(),
    updatedAt: timestamp().unaudited().changes('each change has a time'),
  },
  { owner: 'application', insertedBy: 'app' },
);

const textOf = (fragment: ReturnType<typeof sql>): string => fragment.toSQL().toNative().sql;

describe('a selection', () => {
  it('reads each column under the name of its member', () => {
    expect(textOf(letter.select('id', 'sentAt', 'isRead'))).toBe(
      'id AS "id", sent_at AS "sentAt", was_read AS "isRead"',
    );
    expect(textOf(letter.except('pages', 'version', 'createdAt', 'updatedAt', 'kind'))).toBe(
      'id AS "id", note AS "note", sent_at AS "sentAt", was_read AS "isRead"',
    );
    expect(textOf(letter.as('l').select('sentAt'))).toBe('l.sent_at AS "sentAt"');
  });

  it('has the type of its row, as the driver reads it and as the service uses it', () => {
    const selection = letter.select('kind', 'note', 'sentAt');
    expectTypeOf<RowOf<typeof selection>>().toEqualTypeOf<{
      readonly kind: 'open' | 'sealed';
      readonly note: string | null;
      readonly sentAt: string | null;
    }>();
    expectTypeOf<RecordOf<typeof selection>>().toEqualTypeOf<{
      readonly kind: 'open' | 'sealed';
      readonly note: string | null;
      readonly sentAt: Date | null;
    }>();
    // @ts-expect-error: a column that the table does not have does not compile.
    expect(() => letter.select('sendAt')).toThrow('letter has no sendAt');
  });

  it('converts the instants of a row, and leaves members that are not columns unchanged', () => {
    expect(letter.read({ id: 'x', sentAt: '2026-01-01T00:00:00.000Z', count: 2 })).toEqual({
      id: 'x',
      sentAt: new Date('2026-01-01T00:00:00.000Z'),
      count: 2,
    });
    expect(letter.read({ sentAt: null })).toEqual({ sentAt: null });
  });
});

describe('an insert', () => {
  it('names every column except those that the database fills in, and sends documents as JSON', () => {
    const insert = statement<InsertOf<typeof letter>>('unit.letter.insert', (p) => letter.insert(p));
    expect(insert.text).toBe(
      'INSERT INTO letter (id, kind, note, sent_at, pages, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    );
    const row = {
      id: 'x',
      kind: 'open',
      note: null,
      sentAt: null,
      pages: ['a', 'b'],
      createdAt: 'then',
      updatedAt: 'now',
    } as const;
    expect(insert.bind(row)).toEqual(['x', 'open', null, null, '["a","b"]', 'then', 'now']);
  });

  it('accepts other parameters, SQL, and values that the database would fill in', () => {
    const insert = statement<{ id: string; now: Date }>('unit.letter.given', (p) =>
      letter.insert(
        {
          id: p.id,
          kind: 'open',
          note: null,
          sentAt: null,
          pages: [],
          createdAt: p.now,
          updatedAt: sql`now()`,
        },
        { isRead: true },
      ),
    );
    expect(insert.text).toBe(
      'INSERT INTO letter (id, kind, note, sent_at, pages, was_read, created_at, updated_at) VALUES ($1, $2, $3, ' +
        '$4, $5, $6, $7, now())',
    );
    const now = new Date(0);
    expect(insert.bind({ id: 'x', now })).toEqual(['x', 'open', null, null, '[]', true, now]);
  });

  it('does not compile without a member of the row, nor with a value that the column does not take', () => {
    expectTypeOf<InsertOf<typeof letter>>().toEqualTypeOf<{
      readonly id: string;
      readonly kind: 'open' | 'sealed';
      readonly note: string | null;
      readonly sentAt: RealTimestamp | RealTime | null;
      readonly pages: readonly string[];
      readonly createdAt: RealTimestamp | RealTime;
      readonly updatedAt: RealTimestamp | RealTime;
    }>();
    const row = {
      id: 'x',
      kind: 'open',
      note: null,
      sentAt: null,
      pages: [],
      createdAt: '',
      updatedAt: '',
    } as const;
    const { note, ...withoutNote } = row;
    // @ts-expect-error: `note` is missing.
    expect(() => letter.insert(withoutNote).toSQL()).toThrow();
    // @ts-expect-error: there is no such kind.
    letter.insert({ ...row, kind: 'torn' });
    // @ts-expect-error: the statement would bring any text.
    statement<{ kind: string }>('unit.letter.kind', (p) => sql`SELECT 1 WHERE ${letter.equal({ kind: p.kind })}`);
    expect(note).toBeNull();
  });
});

describe('an update', () => {
  it('assigns the passed values, the next version and the time of the change', () => {
    expect(textOf(letter.assign({ note: 'n', pages: ['a'] }))).toBe('note = $1, pages = $2');
    const { sql: text, bindings } = letter.revise('now', { kind: 'sealed' }).toSQL().toNative();
    expect([text, bindings]).toEqual(['kind = $1, updated_at = $2, version = letter.version + 1', ['sealed', 'now']]);
  });

  it('assigns every member that may change', () => {
    const update = statement<UpdateOf<typeof letter>>(
      'unit.letter.update',
      (p) => sql`UPDATE letter SET ${letter.assignAll(p)}`,
    );
    expect(update.text).toBe('UPDATE letter SET kind = $1, note = $2, sent_at = $3, pages = $4, updated_at = $5');
  });

  it('assigns the values of the row that could not be inserted', () => {
    expect(textOf(letter.assignExcluded('note', 'sentAt'))).toBe('note = excluded.note, sent_at = excluded.sent_at');
  });
});

it('compares columns with values, and with null as SQL does', () => {
  expect(textOf(letter.as('l').equal({ kind: 'open', sentAt: null }))).toBe('l.kind = $1 AND l.sent_at IS NULL');
});

it('reports members that differ to the audit log, except unaudited ones', () => {
  const before = {
    kind: 'open',
    note: 'a' as string | null,
    pages: ['1'],
    version: 1,
  };
  expect(
    letter.changed(before, {
      ...before,
      note: null,
      pages: [],
      version: 2,
    }),
  ).toEqual(['note']);
});
