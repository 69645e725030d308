import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { useCurrent, useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Problems } from '../../ui/problems.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { announce } from '../../ui/toasts.tsx';
import { isWorkable, type ReviewCase } from './case-words.ts';
import { matching, useCaseChanged } from './changed.ts';
import { ChangeCase } from './change-case.tsx';
import { ReopenCase } from './reopen-case.tsx';
import { ResolveCase } from './resolve-case.tsx';
import { TakeNext } from './take-next.tsx';

const words = inLanguages({
  en: {
    mine: 'Assign to me',
    giveBack: 'Return to the queue',
    wake: 'Wake it',
    change: 'Queue, snooze, tags',
    resolve: 'Resolve',
    reopen: 'Reopen',
    assigned: 'The case is yours.',
    returned: 'The case is in its queue again.',
    awake: 'The case is in work again.',
  },
  pt: {
    mine: 'Atribuir a mim',
    giveBack: 'Devolver à fila',
    wake: 'Retomar',
    change: 'Fila, espera, etiquetas',
    resolve: 'Concluir',
    reopen: 'Reabrir',
    assigned: 'O caso é seu.',
    returned: 'O caso voltou para a fila.',
    awake: 'O caso está em andamento de novo.',
  },
});

type Shown = 'change' | 'resolve' | 'reopen' | null;

/**
 * What can be done with a case now. The whole loop works from the keyboard: Alt+A assigns it to the user, Alt+R
 * resolves it, Alt+N takes the next one.
 */
export function CaseActions({ reviewCase }: { readonly reviewCase: ReviewCase }) {
  const t = useWords(words);
  const may = useMay();
  const { user } = useCurrent();
  const changed = useCaseChanged();
  const [shown, setShown] = useState<Shown>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { id, status, assigneeId, evidenceDigest } = reviewCase;
  const mayChange = may('updateCase') && isWorkable(reviewCase);
  const mayTake = mayChange && assigneeId !== user.id;
  const mayResolve =
    may('resolveCase') && (status === 'open' || status === 'in_progress') && evidenceDigest !== undefined;
  const change = async (body: Schemas['CaseUpdate'], text: string) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const params = { path: { caseId: id }, header: matching(reviewCase) };
      try {
        await answerOf(client.PATCH('/v1/cases/{caseId}', { params, body }));
      } finally {
        // Also after a refusal, because somebody else may have changed the case.
        await changed(id);
      }
      // The page shows what is announced.
      announce(text);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const take = () => void change({ assigneeId: user.id }, t.assigned);
  useShortcuts({ A: mayTake ? take : undefined, R: mayResolve ? () => setShown('resolve') : undefined });
  const close = () => setShown(null);
  return (
    <>
      {error !== null && <Problems error={error} />}
      {mayTake && (
        <Button busy={busy} onClick={take} aria-keyshortcuts="Alt+A" title="Alt+A">
          {t.mine}
        </Button>
      )}
      {mayChange && assigneeId === user.id && (
        <Button busy={busy} onClick={() => void change({ assigneeId: null }, t.returned)}>
          {t.giveBack}
        </Button>
      )}
      {mayChange && status === 'on_hold' && (
        <Button busy={busy} onClick={() => void change({ snoozedUntil: null }, t.awake)}>
          {t.wake}
        </Button>
      )}
      {mayChange && <Button onClick={() => setShown('change')}>{t.change}</Button>}
      {mayResolve && (
        <Button look="primary" onClick={() => setShown('resolve')} aria-keyshortcuts="Alt+R" title="Alt+R">
          {t.resolve}
        </Button>
      )}
      {status === 'resolved' && may('reopenCase') && <Button onClick={() => setShown('reopen')}>{t.reopen}</Button>}
      {!mayResolve && <TakeNext />}
      {shown === 'change' && <ChangeCase reviewCase={reviewCase} close={close} />}
      {shown === 'resolve' && <ResolveCase reviewCase={reviewCase} close={close} />}
      {shown === 'reopen' && <ReopenCase reviewCase={reviewCase} close={close} />}
    </>
  );
}
