import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useRiskChanged } from './changed.ts';

const words = inLanguages({
  en: {
    copy: 'Copy as a draft',
    copyOf: (number: number, name: string) => `Copy as a draft: ${number} · ${name}`,
    text: (number: number) =>
      `Version ${number} is copied into a new draft, which you can then change. Nobody is rated by a draft.`,
    done: 'The draft is there.',
  },
  pt: {
    copy: 'Copiar como rascunho',
    copyOf: (number: number, name: string) => `Copiar como rascunho: ${number} · ${name}`,
    text: (number: number) =>
      `A versão ${number} é copiada para um novo rascunho, que você pode então alterar. Ninguém é avaliado por um ` +
      'rascunho.',
    done: 'O rascunho está criado.',
  },
});

interface CopyProps {
  readonly model: Pick<Schemas['RiskModelSummary'], 'id' | 'number' | 'name' | 'subjectType'>;
  readonly small?: boolean;
}

/** Copies a version of a model into a new draft and opens the draft in the editor. */
export function CopyModel({ model: { id, number, name, subjectType }, small = false }: CopyProps) {
  const t = useWords(words);
  const navigate = useNavigate();
  const changed = useRiskChanged();
  const keyFor = useIdempotencyKey();
  const [asked, setAsked] = useState<number | null>(null);
  const copy = async () => {
    const body = { subjectType, baseModelId: id };
    const draft = await answerOf(
      client.POST('/v1/risk/models', { params: { header: { 'Idempotency-Key': keyFor({ body, asked }) } }, body }),
    );
    announce(t.done);
    void changed();
    await navigate({ to: '/risk/models/$modelId/edit', params: { modelId: draft.id } });
  };
  return (
    <>
      <Button
        small={small}
        aria-label={small ? t.copyOf(number, name) : undefined}
        onClick={() => setAsked(Date.now())}
      >
        {t.copy}
      </Button>
      {asked !== null && (
        <ConfirmDialog title={t.copy} action={t.copy} run={copy} onClose={() => setAsked(null)}>
          <p>{t.text(number)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
