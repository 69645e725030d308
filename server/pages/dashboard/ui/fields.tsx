/** Fields of forms. Each links its label, hint and errors for screen readers. */
import type { HTMLInputTypeAttribute, InputHTMLAttributes, ReactNode } from 'react';
import { useWords } from '../core/language.ts';
import { type FieldState, formWords } from './form.tsx';

/** State that links a control to its messages, without the value. */
type Marked = Pick<FieldState<unknown>, 'id' | 'messages' | 'closed'>;

interface FrameProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly optional?: boolean;
}

/** Returns the attributes that link a control to its hint and its errors. */
function described({ id, messages }: Marked, hint: ReactNode) {
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(messages.length > 0 ? [`${id}-error`] : [])];
  return {
    id,
    'aria-invalid': messages.length > 0 || undefined,
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
  };
}

function Frame({
  field,
  label,
  hint,
  optional = false,
  children,
}: FrameProps & { readonly field: Marked; readonly children: ReactNode }) {
  const t = useWords(formWords);
  if (field.closed) return null;
  return (
    <div className="field">
      <label htmlFor={field.id}>
        {label}
        {optional && <span className="muted"> ({t.optional})</span>}
      </label>
      {hint !== undefined && (
        <div className="hint" id={`${field.id}-hint`}>
          {hint}
        </div>
      )}
      {children}
      <Messages field={field} />
    </div>
  );
}

function Messages({ field: { id, messages } }: { readonly field: Marked }) {
  return (
    messages.length > 0 && (
      <div className="field-error" id={`${id}-error`}>
        {messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
    )
  );
}

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'autoComplete'
  | 'maxLength'
  | 'inputMode'
  | 'spellCheck'
  | 'placeholder'
  | 'min'
  | 'max'
  | 'step'
  | 'className'
  | 'list'
  | 'autoFocus'
>;

export function TextField({
  field,
  type = 'text',
  label,
  hint,
  optional,
  after,
  ...input
}: FrameProps &
  InputProps & {
    readonly field: FieldState<string>;
    readonly type?: HTMLInputTypeAttribute;
    readonly after?: ReactNode;
  }) {
  return (
    <Frame
      {...{
        field,
        label,
        hint,
        optional,
      }}
    >
      <input
        type={type}
        value={field.value}
        onChange={({ target }) => field.change(target.value)}
        {...described(field, hint)}
        {...input}
      />
      {after}
    </Frame>
  );
}

export function TextArea({
  field,
  label,
  hint,
  optional,
  rows = 3,
  ...input
}: FrameProps & {
  readonly field: FieldState<string>;
  readonly rows?: number;
  readonly maxLength?: number;
  readonly placeholder?: string;
}) {
  return (
    <Frame
      {...{
        field,
        label,
        hint,
        optional,
      }}
    >
      <textarea
        rows={rows}
        value={field.value}
        onChange={({ target }) => field.change(target.value)}
        {...described(field, hint)}
        {...input}
      />
    </Frame>
  );
}

export function SelectField<T extends string>({
  field,
  label,
  hint,
  optional,
  options,
}: FrameProps & {
  readonly field: FieldState<T>;
  readonly options: readonly (readonly [T, string])[];
}) {
  return (
    <Frame
      {...{
        field,
        label,
        hint,
        optional,
      }}
    >
      <select
        value={field.value}
        {...described(field, hint)}
        onChange={({ target }) => {
          const chosen = options.find(([value]) => value === target.value);
          if (chosen !== undefined) field.change(chosen[0]);
        }}
      >
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </Frame>
  );
}

export function Checkbox({ field, label, hint }: FrameProps & { readonly field: FieldState<boolean> }) {
  if (field.closed) return null;
  return (
    <div className="field">
      <label className="choice">
        <input
          type="checkbox"
          checked={field.value}
          onChange={({ target }) => field.change(target.checked)}
          {...described(field, undefined)}
        />
        <span>
          {label}
          {hint !== undefined && <span className="muted">{hint}</span>}
        </span>
      </label>
      <Messages field={field} />
    </div>
  );
}

interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: ReactNode;
}

/** Field for one of a few options, each with a sentence. */
export function RadioGroup<T extends string>({
  field,
  label,
  hint,
  options,
}: FrameProps & { readonly field: FieldState<T>; readonly options: readonly Choice<T>[] }) {
  return (
    <Choices
      {...{
        field,
        label,
        hint,
        options,
      }}
      type="radio"
      chosen={(value) => field.value === value}
      choose={(value) => field.change(value)}
    />
  );
}

/** Field for any of several options, each with a sentence. A chosen value without an option is shown as it is. */
export function CheckboxGroup<T extends string>({
  field,
  label,
  hint,
  options,
}: FrameProps & { readonly field: FieldState<readonly T[]>; readonly options: readonly Choice<T>[] }) {
  const others = field.value.filter((value) => !options.some((one) => one.value === value));
  return (
    <Choices
      {...{
        field,
        label,
        hint,
        options: [...options, ...others.map((value) => ({ value, label: value }))],
      }}
      type="checkbox"
      chosen={(value) => field.value.includes(value)}
      choose={(value, on) =>
        field.change(on ? [...field.value, value] : field.value.filter((other) => other !== value))
      }
    />
  );
}

function Choices<T extends string>({
  field,
  label,
  hint,
  options,
  type,
  chosen,
  choose,
}: FrameProps & {
  readonly field: Marked;
  readonly options: readonly Choice<T>[];
  readonly type: 'radio' | 'checkbox';
  readonly chosen: (value: T) => boolean;
  readonly choose: (value: T, on: boolean) => void;
}) {
  const invalid = field.messages.length > 0;
  if (field.closed) return null;
  return (
    <fieldset
      className="field"
      data-invalid={invalid || undefined}
      aria-describedby={invalid ? `${field.id}-error` : undefined}
    >
      <legend>{label}</legend>
      {hint !== undefined && <div className="hint">{hint}</div>}
      {options.map(({ value, label: name, hint: sentence }) => (
        <label key={value} className="choice">
          <input
            type={type}
            name={field.id}
            value={value}
            checked={chosen(value)}
            onChange={({ target }) => choose(value, target.checked)}
          />
          <span>
            {name}
            {sentence !== undefined && <span className="muted">{sentence}</span>}
          </span>
        </label>
      ))}
      <Messages field={field} />
    </fieldset>
  );
}
