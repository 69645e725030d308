import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { codeOf, explain, type FieldError, isProblem } from '../app/problem.ts';
import { inLanguages, useWords } from '../app/language.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

export const formWords = inLanguages({
  en: { cancel: 'Cancel', optional: 'optional', marked: 'Mend what is marked.' },
  pt: { cancel: 'Cancelar', optional: 'opcional', marked: 'Corrija o que está marcado.' },
});

type Messages = Readonly<Record<string, readonly string[]>>;

export interface FormOptions<Values> {
  readonly initial: Values;
  /** What to say of a field that was left empty and must not be: "Enter your e-mail address." */
  readonly required?: Partial<Record<keyof Values & string, string>> | ((values: Values) => Partial<Record<keyof Values & string, string>>);
  /** JSON Pointers of the request, where they are not `/` and the name of the field. */
  readonly pointers?: Partial<Record<keyof Values & string, string>>;
  /** Texts for codes of field errors; the message of the service serves for the others. */
  readonly messages?: Readonly<Record<string, string>>;
  readonly submit: (values: Values) => Promise<void>;
  /** Takes over some refusals: returns messages by field, or true when it has dealt with it in another way. */
  readonly handle?: (error: unknown) => Partial<Record<keyof Values & string, readonly string[]>> | true | null;
}

export interface FieldState<Value> {
  readonly id: string;
  readonly value: Value;
  readonly messages: readonly string[];
  readonly change: (value: Value) => void;
}

/**
 * The state of a form: values, and what is wrong with them. A refusal is shown beside the fields to which its JSON
 * Pointers belong, and above the form where they belong to none; the first marked field takes the focus.
 */
export function useForm<Values extends object>(options: FormOptions<Values>) {
  const prefix = useId();
  const t = useWords(formWords);
  const [values, setValues] = useState(options.initial);
  const [messages, setMessages] = useState<Messages>({});
  const [general, setGeneral] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const names = Object.keys(options.initial).filter((name) => name in options.initial);

  const complain = (found: Messages, otherwise: string | null): void => {
    setMessages(found);
    setGeneral(otherwise);
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] input')?.focus());
  };

  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    if (busy) return;
    const missing = missingOf(values, typeof options.required === 'function' ? options.required(values) : options.required ?? {});
    if (Object.keys(missing).length > 0) return complain(missing, null);
    setBusy(true);
    setMessages({});
    setGeneral(null);
    try {
      await options.submit(values);
    } catch (error) {
      if (!(error instanceof Error) || codeOf(error) !== 'cancelled') refuse(error);
    } finally {
      setBusy(false);
    }
  };

  const refuse = (error: unknown): void => {
    const handled = options.handle?.(error) ?? null;
    if (handled === true) return;
    if (handled !== null) return complain(defined(handled), null);
    const { byField, rest } = assign(isProblem(error) ? error.errors ?? [] : [], names, options.pointers ?? {}, options.messages ?? {});
    const marked = Object.keys(byField).length > 0;
    complain(byField, rest.length > 0 ? rest.join(' ') : marked ? t.marked : explain(error));
  };

  return {
    values,
    busy,
    general,
    element,
    submit,
    set: (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed })),
    field: <Name extends keyof Values & string>(name: Name): FieldState<Values[Name]> => ({
      id: `${prefix}-${name}`,
      value: values[name],
      messages: messages[name] ?? [],
      change: (value) => {
        setValues((before) => ({ ...before, [name]: value }));
        setMessages(({ [name]: _mended, ...others }) => others);
      },
    }),
  };
}

export type FormState = Pick<ReturnType<typeof useForm<object>>, 'busy' | 'general' | 'element' | 'submit'>;

function missingOf(values: object, required: Readonly<Record<string, string | undefined>>): Messages {
  const entries: Readonly<Record<string, unknown>> = { ...values };
  return Object.fromEntries(Object.entries(required).flatMap(([name, text]) => {
    const value = entries[name];
    const empty = value === undefined || value === null || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);
    return empty && text !== undefined ? [[name, [text]]] : [];
  }));
}

function defined(messages: Readonly<Record<string, readonly string[] | undefined>>): Messages {
  return Object.fromEntries(Object.entries(messages).flatMap(([name, texts]) => (texts === undefined ? [] : [[name, texts]])));
}

/** A pointer beneath that of a field (`/scopes/0`) belongs to the field. */
function assign(errors: readonly FieldError[], names: readonly string[], pointers: Readonly<Record<string, string | undefined>>, texts: Readonly<Record<string, string>>) {
  const byField: Record<string, string[]> = {};
  const rest: string[] = [];
  for (const error of errors) {
    const text = texts[error.code] ?? error.message;
    const owner = names.find((name) => {
      const pointer = pointers[name] ?? `/${name}`;
      return error.pointer === pointer || error.pointer?.startsWith(`${pointer}/`) || error.parameter === name;
    });
    if (owner === undefined) rest.push(text);
    else (byField[owner] ??= []).push(text);
  }
  return { byField, rest };
}

interface FormProps {
  readonly form: FormState;
  readonly action: string;
  readonly danger?: boolean;
  readonly cancel?: () => void;
  readonly children: ReactNode;
  /** Keeps the buttons in sight while a long form scrolls beneath them. */
  readonly sticky?: boolean;
}

export function Form({ form, action, danger = false, cancel, children, sticky = false }: FormProps) {
  const t = useWords(formWords);
  return (
    <form ref={form.element} noValidate onSubmit={(event) => void form.submit(event)}>
      {form.general !== null && <Notice tone="error" role="alert">{form.general}</Notice>}
      {children}
      <div className={sticky ? 'buttons sticky' : 'buttons'}>
        {cancel !== undefined && <Button onClick={cancel}>{t.cancel}</Button>}
        <Button type="submit" look={danger ? 'danger' : 'primary'} busy={form.busy}>{action}</Button>
      </div>
    </form>
  );
}
