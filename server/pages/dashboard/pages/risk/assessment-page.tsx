import { Link, useParams } from '@tanstack/react-router';
import { api } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { isProblem } from '../../core/problem.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { nameOf } from '../applications/words.ts';
import { Counterfactuals } from './counterfactuals.tsx';
import { LevelBadge } from './level-badge.tsx';
import { OverrideAction, OverrideSection } from './override.tsx';
import { Recompute } from './recompute.tsx';
import { type Assessment, useDecimal, useRiskNames } from './risk-words.ts';
import { ScoreBars } from './score-bars.tsx';
import './refusals.ts';
import './risk.css';

const words = inLanguages({
  en: {
    unknown: 'There is no such assessment',
    why: 'It may belong to another tenant, or its address is not complete.',
    models: 'To the risk models',
    title: 'Risk assessment',
    titleOf: (name: string) => `Risk of ${name}`,
    application: 'Open the application',
    business: 'Open the company',
    later: 'A later assessment has superseded this one.',
    toLater: 'To the later assessment',
    masked: 'Your role sees the facts of the assessment masked.',
    rules: 'Rules that applied',
    noRules: 'No hard rule applied.',
    missing: 'Facts that are missing',
    nothingMissing: 'No fact was missing.',
    facts: 'Summary',
    score: 'Score',
    byScore: 'Level by the score',
    byModel: 'Level by score and rules',
    counts: 'Level that counts',
    enhanced: 'Enhanced diligence',
    yes: 'Required by a rule',
    no: 'Not required by a rule',
    review: 'Review',
    months: (months: number) => `after ${months} months`,
    never: 'No relationship begins or goes on',
    model: 'Model',
    version: (number: number) => `Version ${number}`,
    lists: 'Reference lists',
    because: 'Made because',
    made: 'Made',
    again: 'Last calculated',
    since: 'Level since',
  },
  pt: {
    unknown: 'Esta avaliação não existe',
    why: 'Ela pode ser de outro inquilino, ou o endereço está incompleto.',
    models: 'Para os modelos de risco',
    title: 'Avaliação de risco',
    titleOf: (name: string) => `Risco de ${name}`,
    application: 'Abrir a solicitação',
    business: 'Abrir a empresa',
    later: 'Uma avaliação posterior substituiu esta.',
    toLater: 'Para a avaliação posterior',
    masked: 'Seu papel vê os fatos da avaliação mascarados.',
    rules: 'Regras que se aplicaram',
    noRules: 'Nenhuma regra rígida se aplicou.',
    missing: 'Fatos que faltam',
    nothingMissing: 'Nenhum fato faltou.',
    facts: 'Resumo',
    score: 'Pontuação',
    byScore: 'Nível pela pontuação',
    byModel: 'Nível por pontuação e regras',
    counts: 'Nível que vale',
    enhanced: 'Diligência reforçada',
    yes: 'Exigida por uma regra',
    no: 'Não exigida por uma regra',
    review: 'Revisão',
    months: (months: number) => `após ${months} meses`,
    never: 'Nenhum relacionamento começa nem continua',
    model: 'Modelo',
    version: (number: number) => `Versão ${number}`,
    lists: 'Listas de referência',
    because: 'Feita porque',
    made: 'Feita',
    again: 'Último cálculo',
    since: 'Nível desde',
  },
});

/** Shows an assessment so that anyone can check it: the sum, the rules, and what would change the level. */
export function AssessmentPage() {
  const t = useWords(words);
  const { assessmentId } = useParams({ from: '/signed-in/risk/assessments/$assessmentId' });
  const query = api.useQuery('get', '/v1/risk/assessments/{assessmentId}', { params: { path: { assessmentId } } });
  const { data, error } = query;
  if (data === undefined && isProblem(error) && [400, 404, 410].includes(error.status))
    return (
      <Page title={t.unknown} lead={t.why}>
        <p>
          <ButtonLink to="/risk">{t.models}</ButtonLink>
        </p>
      </Page>
    );
  return (
    <Loaded query={query}>
      {(assessment) => <OneAssessment key={assessmentId} assessmentId={assessmentId} assessment={assessment} />}
    </Loaded>
  );
}

interface AssessmentProps {
  readonly assessmentId: string;
  readonly assessment: Assessment;
}

function OneAssessment({ assessmentId, assessment }: AssessmentProps) {
  const t = useWords(words);
  const may = useMay();
  const { applicationId, businessId, effectiveLevel, supersededById, personalDataMasked, modelId } = assessment;
  const application = api.useQuery(
    'get',
    '/v1/applications/{applicationId}',
    { params: { path: { applicationId: applicationId ?? '' } } },
    { enabled: applicationId !== null && may('getApplication') },
  );
  const business = api.useQuery(
    'get',
    '/v1/businesses/{businessId}',
    { params: { path: { businessId: businessId ?? '' } } },
    { enabled: businessId !== null && may('getBusiness') },
  );
  const model = api.useQuery('get', '/v1/risk/models/{modelId}', { params: { path: { modelId } } });
  const name = application.data?.applicant.fullName ?? business.data?.legalName;
  return (
    <Page
      title={name === undefined ? t.title : t.titleOf(name)}
      badges={<LevelBadge level={effectiveLevel} />}
      actions={
        <>
          {applicationId !== null && (
            <ButtonLink to="/applications/$applicationId" params={{ applicationId }}>
              {t.application}
            </ButtonLink>
          )}
          {businessId !== null && (
            <ButtonLink to="/businesses/$businessId" params={{ businessId }}>
              {t.business}
            </ButtonLink>
          )}
          <OverrideAction assessmentId={assessmentId} assessment={assessment} />
        </>
      }
    >
      {supersededById !== null && (
        <Notice>
          {t.later}{' '}
          <Link to="/risk/assessments/$assessmentId" params={{ assessmentId: supersededById }}>
            {t.toLater}
          </Link>
        </Notice>
      )}
      {personalDataMasked && <Notice>{t.masked}</Notice>}
      <div className="columns">
        <div className="stack">
          {!personalDataMasked && (
            <>
              <ScoreBars assessment={assessment} thresholds={model.data?.definition.thresholds} />
              <Rules assessment={assessment} />
              <Counterfactuals assessment={assessment} />
            </>
          )}
          <MissingFacts assessment={assessment} />
        </div>
        <div className="stack">
          <AssessmentFacts assessment={assessment} />
          <OverrideSection assessment={assessment} />
          <Recompute assessmentId={assessmentId} />
        </div>
      </div>
    </Page>
  );
}

function Rules({ assessment: { hardRulesFired } }: { readonly assessment: Assessment }) {
  const t = useWords(words);
  const { effects } = useRiskNames();
  return (
    <Section title={t.rules}>
      {hardRulesFired.length === 0 ? (
        <p className="muted">{t.noRules}</p>
      ) : (
        <ul className="stack">
          {hardRulesFired.map(({ key, effect, reasonCode }) => (
            <li key={key}>
              <strong>{nameOf({}, key)}</strong>: {effects[effect]}{' '}
              <span className="muted">({nameOf({}, reasonCode)})</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function MissingFacts({ assessment: { missingFacts } }: { readonly assessment: Assessment }) {
  const t = useWords(words);
  return (
    <Section title={t.missing}>
      {missingFacts.length === 0 ? (
        <p className="muted">{t.nothingMissing}</p>
      ) : (
        <ul className="risk-values">
          {missingFacts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function AssessmentFacts({ assessment }: { readonly assessment: Assessment }) {
  const t = useWords(words);
  const names = useRiskNames();
  const decimal = useDecimal();
  const format = useRecordFormat(assessment.environment);
  const { score, baseLevel, level, effectiveLevel, requiresEnhanced, reviewMonths, modelId, modelNumber, lists } =
    assessment;
  return (
    <Section title={t.facts}>
      <Facts
        facts={[
          [t.score, decimal(score)],
          [t.byScore, <LevelBadge key="base" level={baseLevel} />],
          [t.byModel, <LevelBadge key="level" level={level} />],
          [t.counts, <LevelBadge key="counts" level={effectiveLevel} />],
          [t.enhanced, requiresEnhanced ? t.yes : t.no],
          [t.review, reviewMonths === null ? t.never : t.months(reviewMonths)],
          [
            t.model,
            <Link key="model" to="/risk/models/$modelId" params={{ modelId }}>
              {t.version(modelNumber)}
            </Link>,
          ],
          ...(lists.length === 0
            ? []
            : [[t.lists, lists.map(({ listId, number }) => `${listId} ${number}`).join(', ')] as const]),
          [t.because, names.triggers[assessment.trigger]],
          [t.made, format.dateTime(assessment.createdAt)],
          [t.again, format.dateTime(assessment.lastRecalculatedAt)],
          [t.since, format.dateTime(assessment.levelChangedAt)],
        ]}
      />
    </Section>
  );
}
