import { useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, codeOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Problems } from '../../ui/problems.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { announce } from '../../ui/toasts.tsx';
import { CASE_LISTS } from './changed.ts';

const words = inLanguages({
  en: { next: 'Take the next case', keys: 'Alt+N', none: 'No case is waiting in any queue.' },
  pt: { next: 'Pegar o próximo caso', keys: 'Alt+N', none: 'Nenhum caso espera em nenhuma fila.' },
});

/** Assigns the most urgent case to the user and opens it, by a button or by Alt+N. Used wherever an analyst works. */
export function TakeNext() {
  const t = useWords(words);
  const mayTake = useMay()('takeNextCase');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const keyFor = useIdempotencyKey();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const take = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const { reviewCase } = await answerOf(
        client.POST('/v1/cases/next', { params: { header: { 'Idempotency-Key': keyFor(Date.now()) } }, body: {} }),
      );
      for (const queryKey of CASE_LISTS) void queries.invalidateQueries({ queryKey });
      if (reviewCase === null) announce(t.none);
      else await navigate({ to: '/cases/$caseId', params: { caseId: reviewCase.id } });
    } catch (refusal) {
      if (!(refusal instanceof Error) || codeOf(refusal) !== 'cancelled') setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  useShortcuts({ N: mayTake ? () => void take() : undefined });
  if (!mayTake) return null;
  return (
    <>
      {error !== null && <Problems error={error} />}
      <Button look="primary" busy={busy} onClick={() => void take()} aria-keyshortcuts={t.keys} title={t.keys}>
        {t.next}
      </Button>
    </>
  );
}
