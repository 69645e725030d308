/** A text with a button that copies it. Used for secrets, identifiers and commands. */
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { inLanguages, useWords } from '../core/language.ts';

const words = inLanguages({
  en: { copy: (what: string) => `Copy ${what}`, copied: 'Copied' },
  pt: { copy: (what: string) => `Copiar ${what}`, copied: 'Copiado' },
});

/** Copies a text. If the browser refuses the clipboard, as over plain HTTP, the text is selected for the keyboard. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const t = useWords(words);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      setCopied(false);
    }
  };
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={copied ? t.copied : t.copy(what)}
      onClick={() => void copy()}
    >
      {copied ? <Check aria-hidden size={17} /> : <Copy aria-hidden size={17} />}
    </button>
  );
}

/** Shows an identifier, a secret or a command with a copy button. */
export function Copyable({
  text,
  what,
  block = false,
}: {
  readonly text: string;
  readonly what: string;
  readonly block?: boolean;
}) {
  return block ? (
    <div className="secret-row">
      <pre className="secret" tabIndex={0} aria-label={what}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  ) : (
    <span className="copyable">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
