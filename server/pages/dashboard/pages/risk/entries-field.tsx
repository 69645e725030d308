import { type ReactNode, useRef } from 'react';
import { inLanguages, useWords } from '../../core/language.ts';
import { Button } from '../../ui/button.tsx';
import type { FieldState } from '../../ui/form.tsx';

const words = inLanguages({
  en: { remove: 'Remove', removeIt: (name: string) => `Remove ${name}`, unnamed: 'New' },
  pt: { remove: 'Remover', removeIt: (name: string) => `Remover ${name}`, unnamed: 'Novo' },
});

interface EntriesProps<Row> {
  readonly field: FieldState<readonly Row[]>;
  readonly label: string;
  readonly add: string;
  readonly blank: Row;
  /** What is shown of an entry while it is closed. */
  readonly title: (row: Row) => string;
  /** Fields of an entry. `part` returns the state of one of its members. */
  readonly entry: (part: <Name extends keyof Row & string>(name: Name) => FieldState<Row[Name]>) => ReactNode;
}

/** Field for a list of large records, each of which opens on request. An entry with errors is open. */
export function EntriesField<Row extends object>({ field, label, add, blank, title, entry }: EntriesProps<Row>) {
  const t = useWords(words);
  const list = useRef<HTMLFieldSetElement>(null);
  const { value: rows, parts = {} } = field;
  const aboutParts = Object.entries(parts).flatMap(([, messages]) => messages);
  const general = field.messages.filter((message) => !aboutParts.includes(message));
  const partOf =
    (at: number, whole: Row) =>
    <Name extends keyof Row & string>(name: Name): FieldState<Row[Name]> => ({
      id: `${field.id}-${at}-${name}`,
      value: whole[name],
      messages: messagesOf(parts, `${at}/${name}`),
      change: (value) => field.change(rows.map((other, index) => (index === at ? { ...other, [name]: value } : other))),
    });
  const append = () => {
    field.change([...rows, blank]);
    requestAnimationFrame(() => {
      const last = list.current?.querySelector<HTMLDetailsElement>('details:last-of-type');
      if (last === null || last === undefined) return;
      last.open = true;
      last.querySelector<HTMLElement>('input')?.focus();
    });
  };
  const remove = (at: number) => {
    field.change(rows.filter((_, index) => index !== at));
    list.current?.querySelector<HTMLElement>('.risk-add')?.focus();
  };
  return (
    <fieldset ref={list} className="field" data-invalid={general.length > 0 || undefined}>
      <legend>{label}</legend>
      {rows.map((whole, at) => {
        const isFaulty = Object.keys(parts).some((part) => part === String(at) || part.startsWith(`${at}/`));
        const name = title(whole) || t.unnamed;
        return (
          <details
            key={at}
            className="risk-entry"
            ref={(element) => {
              if (element !== null && isFaulty) element.open = true;
            }}
          >
            <summary>{name}</summary>
            {messagesAbout(parts[String(at)])}
            {entry(partOf(at, whole))}
            <Button look="quiet-danger" small aria-label={t.removeIt(name)} onClick={() => remove(at)}>
              {t.remove}
            </Button>
          </details>
        );
      })}
      {messagesAbout(general)}
      <p>
        <button type="button" className="button small risk-add" onClick={append}>
          {add}
        </button>
      </p>
    </fieldset>
  );
}

function messagesAbout(messages: readonly string[] = []): ReactNode {
  return (
    messages.length > 0 && (
      <div className="field-error">
        {messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
    )
  );
}

/** Returns the messages about a member and about what is within it, the latter with the rest of their pointer. */
function messagesOf(parts: Readonly<Record<string, readonly string[]>>, member: string): readonly string[] {
  return Object.entries(parts).flatMap(([part, messages]) => {
    if (part === member) return messages;
    if (!part.startsWith(`${member}/`)) return [];
    return messages.map((message) => `${part.slice(member.length)}: ${message}`);
  });
}
