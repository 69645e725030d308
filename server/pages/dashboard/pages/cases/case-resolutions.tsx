import { useState } from 'react';
import { useCurrent, useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { nameOf } from '../applications/words.ts';
import { RESOLUTION_TONES, type ReviewCase, useCaseNames } from './case-words.ts';
import { ReviewResolution } from './review-resolution.tsx';

const words = inLanguages({
  en: {
    title: 'Resolutions',
    review: 'Review it',
    by: (name: string, at: string) => `${name}, ${at}`,
    reviewed: (name: string) => `Reviewed by ${name}`,
    yours: 'You proposed it, so another person reviews it.',
    decision: 'It carries a decision about the application.',
  },
  pt: {
    title: 'Conclusões',
    review: 'Revisar',
    by: (name: string, at: string) => `${name}, ${at}`,
    reviewed: (name: string) => `Revisada por ${name}`,
    yours: 'Você a propôs, por isso outra pessoa a revisa.',
    decision: 'Ela contém uma decisão sobre a solicitação.',
  },
});

/** Shows how the case was resolved, and offers the review of what waits to those who may give it. */
export function CaseResolutions({ reviewCase }: { readonly reviewCase: ReviewCase }) {
  const t = useWords(words);
  const names = useCaseNames();
  const format = useFormat();
  const may = useMay();
  const { user } = useCurrent();
  const [reviewing, setReviewing] = useState(false);
  const { resolutions = [], status } = reviewCase;
  if (resolutions.length === 0) return null;
  const pending = resolutions.find((resolution) => resolution.status === 'pending_review');
  const isOwn = pending !== undefined && pending.madeBy.id === user.id;
  const mayReview = pending !== undefined && status === 'pending_approval' && may('reviewCaseResolution') && !isOwn;
  return (
    <Section
      title={t.title}
      id="resolutions"
      actions={mayReview && <Button onClick={() => setReviewing(true)}>{t.review}</Button>}
    >
      {isOwn && <p className="hint">{t.yours}</p>}
      <ul className="case-notes">
        {resolutions.map((resolution) => (
          <li key={resolution.id}>
            <span className="row">
              <strong>{nameOf(names.outcomes, resolution.outcome)}</strong>
              <Badge tone={RESOLUTION_TONES[resolution.status]}>{names.resolutions[resolution.status]}</Badge>
            </span>
            <span className="muted">{t.by(resolution.madeBy.display, format.dateTime(resolution.createdAt))}</span>
            <p className="hint">{resolution.reasonCodes.map((code) => nameOf(names.reasons, code)).join(', ')}</p>
            <p>{resolution.note}</p>
            {resolution.decisionId !== null && <p className="hint">{t.decision}</p>}
            {resolution.reviewedBy !== null && (
              <p className="muted">
                {t.reviewed(resolution.reviewedBy.display)}
                {resolution.reviewNote !== null && `: ${resolution.reviewNote}`}
              </p>
            )}
          </li>
        ))}
      </ul>
      {reviewing && pending !== undefined && (
        <ReviewResolution reviewCase={reviewCase} resolution={pending} close={() => setReviewing(false)} />
      )}
    </Section>
  );
}
