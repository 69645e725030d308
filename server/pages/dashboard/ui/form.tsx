/**
 * The state of every form: values, sending, and errors at their fields. Used by all dialogs and pages with a form. An
 * error without a field is shown above the form, so that none is lost.
 */
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { codeOf, type FieldError, isProblem } from '../core/problem.ts';
import { inLanguages, useLanguage, useWords } from '../core/language.ts';
import { Button } from './button.tsx';
import { fieldMessage, withoutRepetition } from './field-message.ts';
import { type Fault, faultsOf, Problems } from './problems.tsx';

export const formWords = inLanguages({
  en: { cancel: 'Cancel', optional: 'optional' },
  pt: { cancel: 'Cancelar', optional: 'opcional' },
});

type Messages = Readonly<Record<string, readonly string[]>>;
type Parts = Messages;

/** Errors that belong to no field. */
interface Trouble {
  readonly error: unknown;
  readonly faults: readonly Fault[];
}

export interface FormOptions<Values> {
  readonly initial: Values;
  /** Messages for empty required fields: "Enter your e-mail address." */
  readonly required?:
    | Partial<Record<keyof Values & string, string>>
    | ((values: Values) => Partial<Record<keyof Values & string, string>>);
  /** Returns errors that are known before the request, in the form of the service's errors. */
  readonly check?: (values: Values) => readonly FieldError[];
  /** JSON Pointers of the request, if they are not `/` and the name of the field. */
  readonly pointers?: Partial<Record<keyof Values & string, string>>;
  /** Texts for codes of field errors. All other codes use the message of the service. */
  readonly messages?: Readonly<Record<string, string>>;
  /** Sends the form. `by` is the value of the pressed button; the main one has none. */
  readonly submit: (values: Values, by: string) => Promise<void>;
  /** Handles some refusals: returns messages by field, or true if it has handled the refusal otherwise. */
  readonly handle?: (error: unknown) => Partial<Record<keyof Values & string, readonly string[]>> | true | null;
}

export interface FieldState<Value> {
  readonly id: string;
  readonly value: Value;
  readonly messages: readonly string[];
  /** Messages about a part of the value, by the rest of their pointer: `0` of a list, `2/name` of its records. */
  readonly parts?: Parts;
  readonly change: (value: Value) => void;
  /** Whether the field is not shown now. */
  readonly closed?: boolean;
}

/**
 * Returns the state of a form: values and errors. Errors of a refusal are shown beside the fields that their JSON
 * Pointers name, and above the form if they name none. Errors above the form get the focus, otherwise the first marked
 * field.
 */
export function useForm<Values extends object>(options: FormOptions<Values>) {
  const prefix = useId();
  const language = useLanguage();
  const [values, setValues] = useState(options.initial);
  const [messages, setMessages] = useState<Messages>({});
  const [parts, setParts] = useState<Readonly<Record<string, Parts>>>({});
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const [complaints, setComplaints] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const names = Object.keys(options.initial).filter((name) => name in options.initial);

  const complain = (found: Messages, otherwise: Trouble | null, about: Readonly<Record<string, Parts>> = {}): void => {
    setMessages(found);
    setParts(about);
    setTrouble(otherwise);
    setComplaints((count) => count + 1);
  };
  // The marks must be in the document before the first marked field can be found.
  useEffect(() => {
    if (complaints > 0 && trouble === null)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] input')?.focus();
  }, [complaints, trouble]);

  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    if (busy) return;
    const missing = missingOf(
      values,
      typeof options.required === 'function' ? options.required(values) : (options.required ?? {}),
    );
    if (Object.keys(missing).length > 0) return complain(missing, null);
    const found = options.check?.(values) ?? [];
    if (found.length > 0) return refuseFor(found, null);
    setBusy(true);
    setMessages({});
    setTrouble(null);
    try {
      await options.submit(values, buttonOf(event));
    } catch (error) {
      if (!(error instanceof Error) || codeOf(error) !== 'cancelled') refuse(error);
    } finally {
      setBusy(false);
    }
  };

  /** Shows each error beside its field. `error` is shown if none has a field. */
  const refuseFor = (errors: readonly FieldError[], error: unknown): void => {
    const pointers: Readonly<Record<string, string | undefined>> = options.pointers ?? {};
    const { byField, rest } = assign(errors, names, pointers);
    const say = (found: readonly FieldError[]) =>
      withoutRepetition(found).map((one) => options.messages?.[one.code] ?? fieldMessage(one, language));
    // Errors beside a field are not repeated above the form.
    const otherwise =
      rest.length === 0 && Object.keys(byField).length > 0
        ? null
        : { error, faults: faultsOf(withoutRepetition(rest), (one) => say([one]).join(' ')) };
    complain(
      Object.fromEntries(Object.entries(byField).map(([name, found]) => [name, say(found)])),
      otherwise,
      Object.fromEntries(
        Object.entries(byField).map(([name, found]) => [
          name,
          messagesByPart(found, pointers[name] ?? `/${name}`, say),
        ]),
      ),
    );
  };

  const refuse = (error: unknown): void => {
    const handled = options.handle?.(error) ?? null;
    if (handled === true) return;
    if (handled !== null) return complain(defined(handled), null);
    refuseFor(isProblem(error) ? (error.errors ?? []) : [], error);
  };

  return {
    values,
    busy,
    trouble,
    element,
    submit,
    set: (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed })),
    field: <Name extends keyof Values & string>(name: Name): FieldState<Values[Name]> => ({
      id: `${prefix}-${name}`,
      value: values[name],
      messages: messages[name] ?? [],
      parts: parts[name] ?? {},
      change: (value) => {
        setValues((before) => ({ ...before, [name]: value }));
        setMessages(({ [name]: _mended, ...others }) => others);
        setParts(({ [name]: _mended, ...others }) => others);
      },
    }),
  };
}

export type FormState = Pick<ReturnType<typeof useForm<object>>, 'busy' | 'trouble' | 'element' | 'submit'>;

function missingOf(values: object, required: Readonly<Record<string, string | undefined>>): Messages {
  const entries: Readonly<Record<string, unknown>> = { ...values };
  return Object.fromEntries(
    Object.entries(required).flatMap(([name, text]) => {
      const value = entries[name];
      const empty =
        value === undefined ||
        value === null ||
        Number.isNaN(value) ||
        (typeof value === 'string' && value.trim() === '') ||
        (Array.isArray(value) && value.length === 0);
      return empty && text !== undefined ? [[name, [text]]] : [];
    }),
  );
}

function defined(messages: Readonly<Record<string, readonly string[] | undefined>>): Messages {
  return Object.fromEntries(
    Object.entries(messages).flatMap(([name, texts]) => (texts === undefined ? [] : [[name, texts]])),
  );
}

function buttonOf(event: FormEvent | undefined): string {
  const button = event?.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
  return button instanceof HTMLButtonElement ? button.value : '';
}

/** Assigns errors to fields. A pointer below that of a field (`/scopes/0`) belongs to the field. */
function assign(
  errors: readonly FieldError[],
  names: readonly string[],
  pointers: Readonly<Record<string, string | undefined>>,
) {
  const byField: Record<string, FieldError[]> = {};
  const rest: FieldError[] = [];
  for (const error of errors) {
    const owner = names.find((name) => {
      const pointer = pointers[name] ?? `/${name}`;
      return error.pointer === pointer || error.pointer?.startsWith(`${pointer}/`) || error.parameter === name;
    });
    if (owner === undefined) rest.push(error);
    else (byField[owner] ??= []).push(error);
  }
  return { byField, rest };
}

function messagesByPart(
  errors: readonly FieldError[],
  pointer: string,
  say: (found: readonly FieldError[]) => string[],
): Parts {
  const partOf = (error: FieldError): string => error.pointer?.slice(pointer.length + 1) ?? '';
  return Object.fromEntries(
    [...new Set(errors.map(partOf))]
      .filter((part) => part !== '')
      .map((part) => [part, say(errors.filter((error) => partOf(error) === part))]),
  );
}

interface FormProps {
  readonly form: FormState;
  readonly action: string;
  readonly danger?: boolean;
  readonly cancel?: () => void;
  /** A second, less severe way to send the form, which the Enter key uses: its value is passed to `submit`. */
  readonly also?: { readonly label: string; readonly value: string };
  readonly children: ReactNode;
  /** Keeps the buttons visible while a long form scrolls beneath them. */
  readonly sticky?: boolean;
}

export function Form({ form, action, danger = false, cancel, also, children, sticky = false }: FormProps) {
  const t = useWords(formWords);
  return (
    <form ref={form.element} noValidate onSubmit={(event) => void form.submit(event)}>
      {form.trouble !== null && <Problems {...form.trouble} />}
      {children}
      <div className={sticky ? 'buttons sticky' : 'buttons'}>
        {cancel !== undefined && <Button onClick={cancel}>{t.cancel}</Button>}
        {also !== undefined && (
          <Button type="submit" value={also.value} busy={form.busy}>
            {also.label}
          </Button>
        )}
        <Button type="submit" look={danger ? 'danger' : 'primary'} busy={form.busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
