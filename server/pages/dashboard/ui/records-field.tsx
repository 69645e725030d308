/** The field for a list of records, such as queues of cases and owners of a company. Used by settings and companies. */
import { Plus } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import type { FieldState } from './form.tsx';

export interface RecordsWords {
  readonly label: string;
  readonly add: string;
  readonly name: (number: number) => string;
  readonly remove: (number: number) => string;
  readonly removeShort: string;
}

/** Returns the state of a member of one row. */
export type RowPart<Row> = <Name extends keyof Row & string>(name: Name) => FieldState<Row[Name]>;

interface RecordsProps<Row> {
  readonly field: FieldState<Row[]>;
  readonly words: RecordsWords;
  readonly blank: Row;
  /** Fields of a row. */
  readonly row: (part: RowPart<Row>) => ReactNode;
}

/** Field for a list of records, each a row of fields. */
export function RecordsField<Row extends object>({ field, words, blank, row }: RecordsProps<Row>) {
  const list = useRef<HTMLFieldSetElement>(null);
  const { value: rows, parts = {} } = field;
  // A message about something that no row shows stands below the rows.
  const isShown = (part: string): boolean => {
    const [, name = '', deeper] = part.split('/');
    return deeper === undefined && name in blank;
  };
  const partMessages = Object.entries(parts)
    .filter(([part]) => isShown(part))
    .flatMap(([, messages]) => messages);
  const general = field.messages.filter((message) => !partMessages.includes(message));
  const partOf =
    (at: number, whole: Row) =>
    <Name extends keyof Row & string>(name: Name): FieldState<Row[Name]> => ({
      id: `${field.id}-${at}-${name}`,
      value: whole[name],
      messages: parts[`${at}/${name}`] ?? [],
      change: (value) => field.change(rows.map((other, index) => (index === at ? { ...other, [name]: value } : other))),
    });
  const add = () => {
    field.change([...rows, blank]);
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('[role="group"]:last-of-type :is(input, select)')?.focus(),
    );
  };
  const remove = (at: number) => {
    field.change(rows.filter((_, index) => index !== at));
    list.current?.querySelector<HTMLElement>('.records-add')?.focus();
  };
  return (
    <fieldset ref={list} className="field" data-invalid={general.length > 0 || undefined}>
      <legend>{words.label}</legend>
      {rows.map((whole, at) => (
        <div key={at} role="group" aria-label={words.name(at + 1)} className="records-row">
          {row(partOf(at, whole))}
          <Button look="quiet-danger" small aria-label={words.remove(at + 1)} onClick={() => remove(at)}>
            {words.removeShort}
          </Button>
        </div>
      ))}
      {general.length > 0 && (
        <div className="field-error">
          {general.map((message) => (
            <p key={message}>{message}</p>
          ))}
        </div>
      )}
      <p>
        <button type="button" className="button small records-add" onClick={add}>
          <Plus aria-hidden size={16} />
          {words.add}
        </button>
      </p>
    </fieldset>
  );
}

/** Returns the empty members of rows. */
export function emptyParts(rows: readonly object[]): string[] {
  return rows.flatMap((row, at) =>
    Object.entries(row)
      .filter(([, value]) => Number.isNaN(value) || (typeof value === 'string' && value.trim() === ''))
      .map(([name]) => `${at}/${name}`),
  );
}
