import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Problems } from '../../ui/problems.tsx';
import { announce } from '../../ui/toasts.tsx';
import { useRiskChanged } from './changed.ts';
import { LevelBadge } from './level-badge.tsx';
import { useDecimal } from './risk-words.ts';
import './refusals.ts';

const words = inLanguages({
  en: {
    title: 'Risk',
    none: 'Not assessed yet.',
    assess: 'Assess',
    again: 'Assess again',
    assessed: 'The risk is assessed.',
    score: (score: string) => `score ${score}`,
    overridden: (until: string) => `overridden until ${until}`,
    look: 'Look at the sum',
  },
  pt: {
    title: 'Risco',
    none: 'Ainda não avaliado.',
    assess: 'Avaliar',
    again: 'Avaliar de novo',
    assessed: 'O risco foi avaliado.',
    score: (score: string) => `pontuação ${score}`,
    overridden: (until: string) => `ajustado até ${until}`,
    look: 'Ver a soma',
  },
});

/** Names the application or the company whose risk is shown. */
type SubjectOfRisk = { readonly applicationId: string } | { readonly businessId: string };

/** Reads the current assessment of a subject; the list is empty if there is none. */
function useCurrentAssessment(subject: SubjectOfRisk) {
  const may = useMay();
  return api.useQuery(
    'get',
    '/v1/risk/assessments',
    { params: { query: { ...subject, limit: 1 } } },
    { enabled: may('listRiskAssessments') },
  );
}

/** Shows the risk of an applicant or a company, and a button for an assessment at once. */
export function SubjectRisk({ subject }: { readonly subject: SubjectOfRisk }) {
  const t = useWords(words);
  const may = useMay();
  const changed = useRiskChanged();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const current = useCurrentAssessment(subject);
  const known = current.data?.items[0];
  if (!may('listRiskAssessments')) return null;
  const assess = async () => {
    setBusy(true);
    setError(null);
    try {
      // Equal facts make no other assessment, so a repeated call needs no key.
      await answerOf(client.POST('/v1/risk/assessments', { body: subject }));
      await changed();
      announce(t.assessed);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      title={t.title}
      id="risk"
      actions={
        may('createRiskAssessment') && (
          <Button small busy={busy} onClick={() => void assess()}>
            {known === undefined ? t.assess : t.again}
          </Button>
        )
      }
    >
      {error !== null && <Problems error={error} />}
      <Loaded query={current}>
        {({ items: [found] }) => (found === undefined ? <p className="muted">{t.none}</p> : <Rated found={found} />)}
      </Loaded>
    </Section>
  );
}

/** The level of risk of an applicant, with a link to the assessment; for the facts about a subject. */
export function CurrentRisk({ applicationId }: { readonly applicationId: string }) {
  const t = useWords(words);
  const found = useCurrentAssessment({ applicationId }).data?.items[0];
  return found === undefined ? <>{t.none}</> : <Rated found={found} />;
}

type Found = NonNullable<ReturnType<typeof useCurrentAssessment>['data']>['items'][number];

function Rated({ found: { id, effectiveLevel, score, overriddenUntil } }: { readonly found: Found }) {
  const t = useWords(words);
  const decimal = useDecimal();
  const format = useRecordFormat();
  return (
    <span className="row">
      <LevelBadge level={effectiveLevel} />
      <span className="muted">{t.score(decimal(score))}</span>
      {overriddenUntil !== null && <Badge tone="warning">{t.overridden(format.day(overriddenUntil))}</Badge>}
      <Link to="/risk/assessments/$assessmentId" params={{ assessmentId: id }}>
        {t.look}
      </Link>
    </span>
  );
}
