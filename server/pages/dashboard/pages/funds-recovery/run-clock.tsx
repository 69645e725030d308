/** Moves the clock of the sandbox for a running scenario. Used by funds-recovery-page.tsx. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Problems } from '../../ui/problems.tsx';

type Run = Schemas['ScenarioRun'];

const words = inLanguages({
  en: {
    over: 'Nothing more will happen by itself.',
    next: (when: string) => `Next: ${when}`,
    toNext: 'To its next event',
    hour: 'An hour',
    day: 'A day',
    threeDays: '72 hours',
    week: 'A week',
  },
  pt: {
    over: 'Nada mais acontece por si.',
    next: (when: string) => `Próximo: ${when}`,
    toNext: 'Ao próximo evento',
    hour: 'Uma hora',
    day: 'Um dia',
    threeDays: '72 horas',
    week: 'Uma semana',
  },
});

const JUMPS = [
  ['hour', 'PT1H'],
  ['day', 'P1D'],
  ['threeDays', 'PT72H'],
  ['week', 'P7D'],
] as const;

/** Shows the sandbox clock of the run in the URL, so that it is still shown after a reload. */
export function RunClock({ runId, onAdvance }: { readonly runId: string; readonly onAdvance: () => void }) {
  const run = api.useQuery('get', '/v1/sandbox/funds-recovery/runs/{runId}', { params: { path: { runId } } });
  return <Loaded query={run}>{(known) => <Clock run={known} onAdvance={onAdvance} />}</Loaded>;
}

function Clock({ run, onAdvance }: { readonly run: Run; readonly onAdvance: () => void }) {
  const t = useWords(words);
  const format = useFormat();
  const queries = useQueryClient();
  const keyFor = useIdempotencyKey();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const advance = async (body: Schemas['RunAdvance']) => {
    setBusy(true);
    setError(null);
    try {
      const path = { runId: run.runId };
      const after = await answerOf(
        client.POST('/v1/sandbox/funds-recovery/runs/{runId}/advance', {
          params: { path, header: { 'Idempotency-Key': keyFor([run, body]) } },
          body,
        }),
      );
      queries.setQueryData(
        api.queryOptions('get', '/v1/sandbox/funds-recovery/runs/{runId}', { params: { path } }).queryKey,
        after,
      );
      void queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/sandbox').queryKey });
      onAdvance();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <p className="recovery-clock">
        <time dateTime={run.now}>{format.precise(run.now)}</time>
      </p>
      <p className="muted">{run.nextStepAt === null ? t.over : t.next(format.dateTime(run.nextStepAt))}</p>
      <div className="row">
        {run.nextStepAt !== null && (
          <Button small look="primary" busy={busy} onClick={() => void advance({ toNextEvent: true })}>
            {t.toNext}
          </Button>
        )}
        {JUMPS.map(([name, by]) => (
          <Button key={by} small busy={busy} onClick={() => void advance({ by })}>
            {t[name]}
          </Button>
        ))}
      </div>
      {error !== null && <Problems error={error} />}
    </>
  );
}
