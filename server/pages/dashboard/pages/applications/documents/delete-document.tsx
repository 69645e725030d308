/**
 * The button that deletes a document of a draft, with its confirmation. Used by document-card.tsx. The file is gone for
 * good.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import { done } from '../../../core/problem.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { announce } from '../../../ui/toasts.tsx';
import { applicationQuery, useChanged } from '../changed.ts';
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
  applicationId,
  document: { id, type, fileName },
}: {
  readonly applicationId: string;
  readonly document: Document;
}) {
  const t = useWords(words);
  const names = useNames();
  const queries = useQueryClient();
  const changed = useChanged();
  const [confirming, setConfirming] = useState(false);
  const run = async () => {
    await done(
      client.DELETE('/v1/applications/{applicationId}/documents/{documentId}', {
        params: { path: { applicationId, documentId: id } },
      }),
    );
    announce(t.deleted);
    changed(await queries.fetchQuery({ ...applicationQuery(applicationId), staleTime: 0 }));
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
