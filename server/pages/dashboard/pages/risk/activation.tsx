import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useCurrent, useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import type { OperationId } from '../../core/operation-id.ts';
import { Notice } from '../../ui/notice.tsx';
import { Facts } from '../../ui/page.tsx';
import { useRiskNames } from './risk-words.ts';

export type Activation = Schemas['RiskActivation'];

const words = inLanguages({
  en: {
    status: 'Activation',
    requested: 'Requested',
    reviewed: 'Reviewed',
    note: 'Note',
    basis: 'Rests on',
    backtest: 'the backtest',
    nothing: 'no backtest, because nothing was assessed yet',
    own: 'Somebody else has to review your request.',
  },
  pt: {
    status: 'Ativação',
    requested: 'Pedida',
    reviewed: 'Revisada',
    note: 'Observação',
    basis: 'Baseia-se em',
    backtest: 'o teste retroativo',
    nothing: 'nenhum teste, porque nada foi avaliado ainda',
    own: 'Outra pessoa precisa revisar o seu pedido.',
  },
});

/** Returns the request for activation that the user may review now, which is never their own; otherwise null. */
export function useReviewable(operation: OperationId, activation: Activation | null): Activation | null {
  const { user } = useCurrent();
  const may = useMay();
  const isTheirs = activation?.status === 'pending' && activation.requestedBy.id !== user.id;
  return isTheirs && may(operation) ? activation : null;
}

/** Shows a request for activation: who made it, what it rests on, and what became of it. */
export function ActivationFacts({
  activation,
  ofModel = false,
}: {
  readonly activation: Activation;
  readonly ofModel?: boolean;
}) {
  const t = useWords(words);
  const names = useRiskNames();
  const format = useRecordFormat();
  const { user } = useCurrent();
  const may = useMay();
  const { status, backtestId, requestedBy, requestedAt, reviewedBy, reviewNote, reviewedAt } = activation;
  const basis =
    backtestId !== null && may('getRiskBacktest') ? (
      <Link to="/risk/backtests/$backtestId" params={{ backtestId }}>
        {t.backtest}
      </Link>
    ) : (
      <>{backtestId === null ? t.nothing : t.backtest}</>
    );
  return (
    <>
      {status === 'pending' && requestedBy.id === user.id && <Notice>{t.own}</Notice>}
      <Facts
        facts={[
          [t.status, names.activations[status]],
          [t.requested, `${format.dateTime(requestedAt)}, ${requestedBy.display}`],
          ...(ofModel ? [[t.basis, basis] as const] : []),
          ...(reviewedBy === null || reviewedAt === null
            ? []
            : [[t.reviewed, `${format.dateTime(reviewedAt)}, ${reviewedBy.display}`] as const]),
          ...(reviewNote === null ? [] : [[t.note, reviewNote] as const]),
        ]}
      />
    </>
  );
}
