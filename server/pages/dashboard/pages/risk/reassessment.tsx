import type { Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Section } from '../../ui/page.tsx';
import { Progress } from './progress.tsx';

type Progressing = Schemas['RiskReassessment'];

const words = inLanguages({
  en: {
    title: 'Re-assessment of all subjects',
    running: (done: string, total: string) => `${done} of ${total} assessed.`,
    completed: (done: string, when: string) => `${done} assessed, finished ${when}.`,
    failed: (count: string) => `The model could not score ${count} of them.`,
  },
  pt: {
    title: 'Reavaliação de todos',
    running: (done: string, total: string) => `${done} de ${total} avaliados.`,
    completed: (done: string, when: string) => `${done} avaliados, concluída ${when}.`,
    failed: (count: string) => `O modelo não pôde pontuar ${count} deles.`,
  },
});

/** Interval at which the progress of work in the background is read, in milliseconds. */
export const PROGRESS_MS = 1500;

/** Returns the interval at which a page reads a record again while its re-assessment runs. */
export function progressInterval(progress: Progressing | null | undefined): number | false {
  return progress?.status === 'running' ? PROGRESS_MS : false;
}

/** Shows how far the assessment of all subjects is that the activation of a model or a list started. */
export function Reassessment({ progress }: { readonly progress: Progressing }) {
  const t = useWords(words);
  const format = useRecordFormat();
  const { status, total, done, failed, completedAt } = progress;
  const [doneText, totalText] = [format.number(done), format.number(total)];
  return (
    <Section title={t.title}>
      {status === 'running' && <Progress label={t.title} done={done} total={total} />}
      <p>
        {status === 'completed' && completedAt !== null
          ? t.completed(doneText, format.relative(completedAt))
          : t.running(doneText, totalText)}
        {failed > 0 && ` ${t.failed(format.number(failed))}`}
      </p>
    </Section>
  );
}
