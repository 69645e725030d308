/** A list that is edited as lines of text. Used by the fields of keys and settings. */
import { useState } from 'react';
import { inLanguages, useWords } from '../core/language.ts';
import { TextArea } from './fields.tsx';
import type { FieldState } from './form.tsx';

const words = inLanguages({
  en: { line: (number: number, message: string) => `Line ${number}: ${message}` },
  pt: { line: (number: number, message: string) => `Linha ${number}: ${message}` },
});

interface LinesProps {
  readonly field: FieldState<readonly string[]>;
  readonly label: string;
  readonly hint?: string;
  readonly optional?: boolean;
  readonly rows?: number;
  readonly placeholder?: string;
}

/** Edits a list as a text with one item per line. An error of an item names its line. */
export function LinesField({ field, ...rest }: LinesProps) {
  const t = useWords(words);
  const [typed, setTyped] = useState(field.value.join('\n'));
  // Blank lines stay while the user types; a list that was set from outside is shown as it is.
  const text = linesOf(typed).join('\n') === field.value.join('\n') ? typed : field.value.join('\n');
  const aboutLines = Object.entries(field.parts ?? {}).filter(([part]) => /^\d+$/.test(part));
  const lineMessages = aboutLines.flatMap(([, messages]) => messages);
  const messages = [
    ...field.messages.filter((message) => !lineMessages.includes(message)),
    ...aboutLines.flatMap(([part, found]) => found.map((message) => t.line(Number(part) + 1, message))),
  ];
  const change = (to: string) => {
    setTyped(to);
    field.change(linesOf(to));
  };
  return (
    <TextArea
      field={{
        id: field.id,
        value: text,
        messages,
        change,
      }}
      {...rest}
    />
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
