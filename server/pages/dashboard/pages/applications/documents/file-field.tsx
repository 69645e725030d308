import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { inLanguages, useWords } from '../../../app/language.ts';
import { Button } from '../../../ui/button.tsx';
import type { FieldState } from '../../../ui/form.tsx';
import { useFormat } from '../../../ui/format.ts';

const words = inLanguages({
  en: { label: 'File', drop: 'Drop a file here, or', choose: 'Choose a file', other: 'Choose another', kinds: 'JPEG, PNG, WebP or PDF, up to 15 MB.', one: 'One file at a time: the first was taken.' },
  pt: { label: 'Arquivo', drop: 'Solte um arquivo aqui, ou', choose: 'Escolher um arquivo', other: 'Escolher outro', kinds: 'JPEG, PNG, WebP ou PDF, até 15 MB.', one: 'Um arquivo por vez: o primeiro foi tomado.' },
});

/** One file, dropped or chosen. What may be uploaded is judged by the service, by content. */
export function FileField({ field: { id, value, messages, change } }: { readonly field: FieldState<File | null> }) {
  const t = useWords(words);
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
  return (
    <div className="field">
      <div className={over ? 'drop over' : 'drop'} data-invalid={invalid || undefined} onDrop={drop} onDragLeave={() => setOver(false)}
        onDragOver={(event) => { event.preventDefault(); setOver(true); }}>
        <FileUp aria-hidden size={24} />
        {value === null ? <p>{t.drop}</p> : <p><strong>{value.name}</strong> · {format.number(Math.max(1, Math.round(value.size / 1000)))} kB</p>}
        <Button id={id} small aria-describedby={invalid ? `${id}-error` : `${id}-hint`} onClick={() => input.current?.click()}>{value === null ? t.choose : t.other}</Button>
        <input ref={input} type="file" hidden aria-label={t.label} accept="image/jpeg,image/png,image/webp,application/pdf" onChange={({ target }) => take(target.files)} />
        <p className="hint" id={`${id}-hint`}>{several ? t.one : t.kinds}</p>
      </div>
      {invalid && <div className="field-error" id={`${id}-error`} role="alert">{messages.map((message) => <p key={message}>{message}</p>)}</div>}
    </div>
  );
}
