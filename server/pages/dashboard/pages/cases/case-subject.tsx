import { Link } from '@tanstack/react-router';
import { api } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { TONES, useNames } from '../applications/words.ts';
import { CurrentRisk } from '../risk/subject-risk.tsx';
import { RESULT_TONES, useScreeningNames } from '../screenings/screening-words.ts';

const words = inLanguages({
  en: {
    title: 'The applicant',
    name: 'Name',
    born: 'Born',
    application: 'Application',
    open: 'Open the application',
    level: 'Level',
    purpose: 'Purpose',
    approvedUntil: 'Approved until',
    requirements: 'Missing',
    nothingMissing: 'Nothing',
    screening: 'Last screening',
    risk: 'Risk',
    none: 'None',
  },
  pt: {
    title: 'A pessoa',
    name: 'Nome',
    born: 'Nascimento',
    application: 'Solicitação',
    open: 'Abrir a solicitação',
    level: 'Nível',
    purpose: 'Finalidade',
    approvedUntil: 'Aprovada até',
    requirements: 'Faltam',
    nothingMissing: 'Nada',
    screening: 'Última consulta',
    risk: 'Risco',
    none: 'Nenhuma',
  },
});

/** Shows who the case is about: the application with what is missing, and its last screening. */
export function CaseSubject({ applicationId }: { readonly applicationId: string }) {
  const t = useWords(words);
  const names = useNames();
  const format = useFormat();
  const may = useMay();
  const application = api.useQuery('get', '/v1/applications/{applicationId}', { params: { path: { applicationId } } });
  return (
    <Section title={t.title}>
      <Loaded query={application}>
        {({ applicant, status, level, purpose, validUntil, requirements }) => {
          const missing = requirements.items
            .filter((requirement) => requirement.status === 'missing')
            .map(({ key }) => names.requirements[key] ?? key);
          return (
            <Facts
              facts={[
                [
                  t.name,
                  <Link key="name" to="/applications/$applicationId" params={{ applicationId }} title={t.open}>
                    {applicant.fullName}
                  </Link>,
                ],
                [
                  t.application,
                  <Badge key="status" tone={TONES[status]}>
                    {names.statuses[status]}
                  </Badge>,
                ],
                [t.level, names.levels[level]],
                [t.purpose, names.purposes[purpose]],
                ...(validUntil === null ? [] : [[t.approvedUntil, format.dateTime(validUntil)] as const]),
                [t.requirements, missing.length === 0 ? t.nothingMissing : missing.join(', ')],
                [t.screening, <LastScreening key="screening" applicationId={applicationId} />],
                ...(may('listRiskAssessments')
                  ? [[t.risk, <CurrentRisk key="risk" applicationId={applicationId} />] as const]
                  : []),
              ]}
            />
          );
        }}
      </Loaded>
    </Section>
  );
}

function LastScreening({ applicationId }: { readonly applicationId: string }) {
  const t = useWords(words);
  const names = useScreeningNames();
  const format = useFormat();
  const may = useMay();
  const { data } = api.useQuery(
    'get',
    '/v1/screenings',
    { params: { query: { applicationId, limit: 1 } } },
    { enabled: may('listScreenings') },
  );
  const last = data?.items[0];
  if (last === undefined) return <>{t.none}</>;
  return (
    <span className="row">
      <Link to="/screenings/$screeningId" params={{ screeningId: last.id }}>
        {format.dateTime(last.createdAt)}
      </Link>
      <Badge tone={RESULT_TONES[last.result]}>{names.results[last.result]}</Badge>
    </span>
  );
}
