/** The filters above a list. Used by all pages with one. */
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { inLanguages, useWords } from '../core/language.ts';
import { Button } from './button.tsx';
import { SelectField, TextField } from './fields.tsx';

/** Pause after which typed text applies. A selection applies at once. */
const PAUSE_MS = 350;

const words = inLanguages({
  en: { filters: 'Filters', more: 'More filters', clear: 'Clear the filters' },
  pt: { filters: 'Filtros', more: 'Mais filtros', clear: 'Limpar os filtros' },
});

interface FiltersProps {
  readonly children: ReactNode;
  /** Rarely used filters, shown after a click. */
  readonly rare?: ReactNode;
  /** Whether one of the rare filters is set, so that they must be visible. */
  readonly rareInUse?: boolean;
  /** Clears all filters; null if none is set. */
  readonly clear: (() => void) | null;
}

/** The filters of a list. Their values are in the URL, so that a filtered list can be shared. */
export function Filters({ children, rare, rareInUse = false, clear }: FiltersProps) {
  const t = useWords(words);
  const [rareShown, setRareShown] = useState(rareInUse);
  return (
    <form role="search" aria-label={t.filters} className="filter-form" onSubmit={(event) => event.preventDefault()}>
      <div className="filters">{children}</div>
      {rareShown && <div className="filters">{rare}</div>}
      {(rare !== undefined || clear !== null) && (
        <div className="row">
          {rare !== undefined && (
            <Button look="quiet" small aria-expanded={rareShown} onClick={() => setRareShown(!rareShown)}>
              {t.more}
            </Button>
          )}
          {clear !== null && (
            <Button look="quiet" small onClick={clear}>
              {t.clear}
            </Button>
          )}
        </div>
      )}
    </form>
  );
}

interface FilterProps<T> {
  readonly label: string;
  readonly value: T;
  readonly apply: (value: T) => void;
}

/** A filter for text or a day. */
export function TextFilter({
  label,
  value,
  apply,
  type = 'search',
  placeholder,
  suggestions,
  messages = [],
}: FilterProps<string> & {
  readonly type?: 'search' | 'date';
  readonly placeholder?: string;
  readonly suggestions?: readonly (readonly [string, string])[];
  /** Errors of the typed value. */
  readonly messages?: readonly string[];
}) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const send = useEffectEvent((wanted: string) => {
    sent.current = wanted;
    apply(wanted);
  });
  // The URL may change by other means, such as the back button.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === sent.current) return;
    const timer = setTimeout(() => send(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const list = `${id}-list`;
  return (
    <TextField
      field={{
        id,
        value: typed,
        messages,
        change: setTyped,
      }}
      type={type}
      label={label}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      maxLength={120}
      {...(suggestions !== undefined && {
        list,
        after: (
          <datalist id={list}>
            {suggestions.map(([option, name]) => (
              <option key={option} value={option}>
                {name}
              </option>
            ))}
          </datalist>
        ),
      })}
    />
  );
}

/** A filter with options. */
export function SelectFilter<T extends string>({
  label,
  value,
  apply,
  options,
}: FilterProps<T> & { readonly options: readonly (readonly [T, string])[] }) {
  const id = useId();
  return (
    <SelectField
      field={{
        id,
        value,
        messages: [],
        change: apply,
      }}
      label={label}
      options={options}
    />
  );
}
