import { useState } from 'react';
import { client } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, done } from '../../core/problem.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { announce } from '../../ui/toasts.tsx';
import { type Activation, useReviewable } from './activation.tsx';
import { useRiskChanged } from './changed.ts';
import { CopyModel } from './copy-model.tsx';
import { RequestActivation } from './request-activation.tsx';
import { RequestBacktest } from './request-backtest.tsx';
import { ReviewActivation } from './review-activation.tsx';
import { StartShadow } from './start-shadow.tsx';
import type { Model } from './risk-words.ts';

const words = inLanguages({
  en: {
    edit: 'Edit',
    backtest: 'Backtest',
    shadow: 'Run as a shadow',
    stop: 'End the shadow run',
    stopText: 'The draft no longer scores new assessments. Its results remain among the backtests.',
    stopped: 'The shadow run is over.',
    activate: 'Request activation',
    review: 'Review the activation',
  },
  pt: {
    edit: 'Editar',
    backtest: 'Teste retroativo',
    shadow: 'Executar em paralelo',
    stop: 'Encerrar a execução paralela',
    stopText: 'O rascunho deixa de pontuar novas avaliações. Os resultados ficam entre os testes retroativos.',
    stopped: 'A execução paralela terminou.',
    activate: 'Pedir a ativação',
    review: 'Revisar a ativação',
  },
});

type Shown = 'backtest' | 'shadow' | 'stop' | 'activate' | null;

/** What the user can do with a version of a model now. */
export function ModelActions({ model }: { readonly model: Model }) {
  const t = useWords(words);
  const may = useMay();
  const changed = useRiskChanged();
  const [shown, setShown] = useState<Shown>(null);
  const [reviewed, setReviewed] = useState<Activation | null>(null);
  const { id, number, status, subjectType, definition, shadowId, activation } = model;
  const reviewable = useReviewable('reviewRiskModelActivation', activation);
  const close = () => setShown(null);
  const isDraft = status === 'draft';
  const stop = async () => {
    await done(client.DELETE('/v1/risk/models/{modelId}/shadow', { params: { path: { modelId: id } } }));
    await changed();
    announce(t.stopped);
  };
  return (
    <>
      {isDraft && shadowId === null && may('replaceRiskModel') && (
        <ButtonLink to="/risk/models/$modelId/edit" params={{ modelId: id }}>
          {t.edit}
        </ButtonLink>
      )}
      {may('createRiskBacktest') && <Button onClick={() => setShown('backtest')}>{t.backtest}</Button>}
      {isDraft && shadowId === null && may('startRiskShadow') && (
        <Button onClick={() => setShown('shadow')}>{t.shadow}</Button>
      )}
      {shadowId !== null && may('stopRiskShadow') && <Button onClick={() => setShown('stop')}>{t.stop}</Button>}
      {may('createRiskModel') && (
        <CopyModel
          model={{
            id,
            number,
            subjectType,
            name: definition.name,
          }}
        />
      )}
      {isDraft && may('activateRiskModel') && (
        <Button look="primary" onClick={() => setShown('activate')}>
          {t.activate}
        </Button>
      )}
      {reviewable !== null && (
        <Button look="primary" onClick={() => setReviewed(reviewable)}>
          {t.review}
        </Button>
      )}
      {shown === 'backtest' && <RequestBacktest model={model} close={close} />}
      {shown === 'shadow' && <StartShadow model={model} close={close} />}
      {shown === 'activate' && <RequestActivation model={model} close={close} />}
      {shown === 'stop' && (
        <ConfirmDialog title={t.stop} action={t.stop} run={stop} onClose={close}>
          <p>{t.stopText}</p>
        </ConfirmDialog>
      )}
      {reviewed !== null && (
        <ReviewActivation
          activation={reviewed}
          close={() => setReviewed(null)}
          send={(body, key) =>
            answerOf(
              client.POST('/v1/risk/models/{modelId}/activations/{activationId}/review', {
                params: { path: { modelId: id, activationId: reviewed.id }, header: { 'Idempotency-Key': key } },
                body,
              }),
            )
          }
        />
      )}
    </>
  );
}
