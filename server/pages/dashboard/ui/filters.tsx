import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { inLanguages, useWords } from '../app/language.ts';
import { Button } from './button.tsx';
import { SelectField, TextField } from './fields.tsx';

/** What is typed counts after this pause; what is chosen counts at once. */
const PAUSE_MS = 350;

const words = inLanguages({
  en: { filters: 'Filters', more: 'More filters', clear: 'Clear the filters' },
  pt: { filters: 'Filtros', more: 'Mais filtros', clear: 'Limpar os filtros' },
});

interface FiltersProps {
  readonly children: ReactNode;
  /** Filters that are seldom used stand behind a click. */
  readonly rare?: ReactNode;
  /** Whether a filter is set among those, which must then be seen. */
  readonly rareInUse?: boolean;
  /** Takes all filters away; null while none is set. */
  readonly clear: (() => void) | null;
}

/** The filters of a list. Their values stand in the address, so that a filtered list can be sent to somebody. */
export function Filters({ children, rare, rareInUse = false, clear }: FiltersProps) {
  const t = useWords(words);
  const [rareShown, setRareShown] = useState(rareInUse);
  return (
    <form role="search" aria-label={t.filters} className="filter-form" onSubmit={(event) => event.preventDefault()}>
      <div className="filters">{children}</div>
      {rareShown && <div className="filters">{rare}</div>}
      {(rare !== undefined || clear !== null) && (
        <div className="row">
          {rare !== undefined && <Button look="quiet" small aria-expanded={rareShown} onClick={() => setRareShown(!rareShown)}>{t.more}</Button>}
          {clear !== null && <Button look="quiet" small onClick={clear}>{t.clear}</Button>}
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

/** A filter that is typed, or a day. */
export function TextFilter({ label, value, apply, type = 'search', placeholder, suggestions, messages = [] }: FilterProps<string> & {
  readonly type?: 'search' | 'date'; readonly placeholder?: string; readonly suggestions?: readonly (readonly [string, string])[];
  /** What is wrong with what was typed. */
  readonly messages?: readonly string[];
}) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const send = useEffectEvent((wanted: string) => {
    sent.current = wanted;
    apply(wanted);
  });
  // The address may change by other means, such as going back.
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
    <TextField field={{ id, value: typed, messages, change: setTyped }} type={type} label={label} placeholder={placeholder} autoComplete="off" spellCheck={false} maxLength={120}
      {...(suggestions !== undefined && { list, after: <datalist id={list}>{suggestions.map(([option, name]) => <option key={option} value={option}>{name}</option>)}</datalist> })} />
  );
}

/** A filter that is chosen. */
export function SelectFilter<T extends string>({ label, value, apply, options }: FilterProps<T> & { readonly options: readonly (readonly [T, string])[] }) {
  const id = useId();
  return <SelectField field={{ id, value, messages: [], change: apply }} label={label} options={options} />;
}
