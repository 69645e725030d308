import { useState } from 'react';
import { client } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { useFormat } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Problems } from '../../ui/problems.tsx';
import { isWorkable, type ReviewCase } from './case-words.ts';
import { matching, useCaseChanged } from './changed.ts';

const words = inLanguages({
  en: {
    title: 'Checklist',
    optional: 'optional',
    done: (name: string, at: string) => `${name}, ${at}`,
  },
  pt: {
    title: 'Lista de verificação',
    optional: 'opcional',
    done: (name: string, at: string) => `${name}, ${at}`,
  },
});

/** Shows what must be done before the case is resolved. Each tick is saved at once with the version that was shown. */
export function Checklist({ reviewCase }: { readonly reviewCase: ReviewCase }) {
  const t = useWords(words);
  const format = useFormat();
  const may = useMay();
  const changed = useCaseChanged();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { id, checklist } = reviewCase;
  if (checklist.length === 0) return null;
  const isEditable = may('updateCase') && isWorkable(reviewCase) && reviewCase.evidenceDigest !== undefined;
  const toggle = async (key: string, done: boolean) => {
    setBusy(true);
    setError(null);
    const others = checklist.filter((item) => item.doneAt !== null && item.key !== key).map((item) => item.key);
    try {
      await answerOf(
        client.PATCH('/v1/cases/{caseId}', {
          params: { path: { caseId: id }, header: matching(reviewCase) },
          body: { checklistDone: done ? [...others, key] : others },
        }),
      );
    } catch (refusal) {
      setError(refusal);
    } finally {
      await changed(id);
      setBusy(false);
    }
  };
  return (
    <Section title={t.title}>
      {error !== null && <Problems error={error} />}
      <fieldset className="checklist" aria-label={t.title} disabled={!isEditable || busy}>
        {checklist.map(({ key, label, required, doneBy, doneAt }) => (
          <label key={key} className="choice">
            <input
              type="checkbox"
              checked={doneAt !== null}
              onChange={({ target }) => void toggle(key, target.checked)}
            />
            <span>
              {label}
              {!required && <span className="muted"> ({t.optional})</span>}
              {doneAt !== null && doneBy !== null && (
                <span className="muted">{t.done(doneBy.display, format.dateTime(doneAt))}</span>
              )}
            </span>
          </label>
        ))}
      </fieldset>
    </Section>
  );
}
