/** The field for one file. Used by the forms that upload documents and lists. */
import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { inLanguages, useWords } from '../core/language.ts';
import { Button } from './button.tsx';
import { type FieldState, formWords } from './form.tsx';
import { useFormat } from './format.ts';

const words = inLanguages({
  en: {
    drop: 'Drop a file here, or',
    choose: 'Choose a file',
    other: 'Choose another',
    one: 'One file at a time: the first was taken.',
  },
  pt: {
    drop: 'Solte um arquivo aqui, ou',
    choose: 'Escolher um arquivo',
    other: 'Escolher outro',
    one: 'Um arquivo por vez: o primeiro foi tomado.',
  },
});

interface Props {
  readonly field: FieldState<File | null>;
  readonly label: string;
  readonly hint: string;
  readonly optional?: boolean;
  /** File types that the browser offers. */
  readonly accept?: string;
}

/** Field for one file, dropped or chosen. The service decides by content which files are accepted. */
export function FileField({
  field: { id, value, messages, change, closed = false },
  label,
  hint,
  optional = false,
  accept,
}: Props) {
  const t = useWords(words);
  const { optional: mayBeMissing } = useWords(formWords);
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [several, setSeveral] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file === undefined) return;
    setSeveral((files?.length ?? 0) > 1);
    change(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  const invalid = messages.length > 0;
  if (closed) return null;
  return (
    <div className="field" role="group" aria-labelledby={`${id}-label`}>
      <span className="field-label" id={`${id}-label`}>
        {label}
        {optional && <span className="muted"> ({mayBeMissing})</span>}
      </span>
      <div
        className={over ? 'drop over' : 'drop'}
        data-invalid={invalid || undefined}
        onDrop={drop}
        onDragLeave={() => setOver(false)}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
      >
        <FileUp aria-hidden size={24} />
        {value === null ? (
          <p>{t.drop}</p>
        ) : (
          <p>
            <strong>{value.name}</strong> · {format.number(Math.max(1, Math.round(value.size / 1000)))} kB
          </p>
        )}
        <Button
          id={id}
          small
          aria-describedby={invalid ? `${id}-error` : `${id}-hint`}
          onClick={() => input.current?.click()}
        >
          {value === null ? t.choose : t.other}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={label}
          accept={accept}
          onChange={({ target }) => take(target.files)}
        />
        <p className="hint" id={`${id}-hint`}>
          {several ? t.one : hint}
        </p>
      </div>
      {invalid && (
        <div className="field-error" id={`${id}-error`} role="alert">
          {messages.map((message) => (
            <p key={message}>{message}</p>
          ))}
        </div>
      )}
    </div>
  );
}
