/**
 * The button that deletes a document of a draft, with its confirmation. Used by document-card.tsx. The file is gone for
 * good.
 */
import { useState } from 'react';
import { inLanguages, useWords } from '../../../core/language.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { announce } from '../../../ui/toasts.tsx';
import { useReadAgain } from '../changed.ts';
import { callsOf } from '../subject-calls.ts';
import type { Subject } from '../subject.ts';
import { type Document, useNames } from '../words.ts';

const words = inLanguages({
  en: {
    action: 'Delete',
    title: 'Delete the document?',
    text: (name: string) => `The file ${name} is removed for good. The history still tells that it was here.`,
    deleted: 'The document is deleted.',
  },
  pt: {
    action: 'Excluir',
    title: 'Excluir o documento?',
    text: (name: string) => `O arquivo ${name} é removido de vez. O histórico continua contando que ele esteve aqui.`,
    deleted: 'O documento foi excluído.',
  },
});

/** Deletes a document of a draft, after a confirmation. */
export function DeleteDocument({
  subject,
  document: { id, type, fileName },
}: {
  readonly subject: Subject;
  readonly document: Document;
}) {
  const t = useWords(words);
  const names = useNames();
  const readAgain = useReadAgain(subject);
  const [confirming, setConfirming] = useState(false);
  const run = async () => {
    await callsOf(subject).remove(id);
    announce(t.deleted);
    await readAgain();
  };
  return (
    <>
      <Button
        small
        look="quiet-danger"
        aria-label={`${t.action}: ${names.documentTypes[type]}`}
        onClick={() => setConfirming(true)}
      >
        {t.action}
      </Button>
      {confirming && (
        <ConfirmDialog title={t.title} action={t.action} danger run={run} onClose={() => setConfirming(false)}>
          <p>{t.text(fileName)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
