import { Link, useParams } from '@tanstack/react-router';
import { api } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { isProblem } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { CaseReports } from '../reports/case-reports.tsx';
import { CaseActions } from './case-actions.tsx';
import { CaseDocuments } from './case-documents.tsx';
import { Checklist } from './checklist.tsx';
import { CaseNotes } from './case-notes.tsx';
import { CaseResolutions } from './case-resolutions.tsx';
import { CaseBusiness } from './case-business.tsx';
import { CaseSubject } from './case-subject.tsx';
import { CASE_TONES, type ReviewCase, useCaseNames } from './case-words.ts';
import { useMemberNames } from './member-names.ts';
import { UnknownCase } from './unknown-case.tsx';
import './cases.css';

const words = inLanguages({
  en: {
    late: 'late',
    facts: 'Summary',
    assignee: 'Assigned to',
    nobody: 'Nobody',
    queue: 'Queue',
    due: 'Due',
    stopped: (since: string) => `Stopped since ${since}, because the applicant is asked for information`,
    snoozed: 'On hold until',
    analysis: 'Analysis due by law',
    freeze: 'Freeze and report by law',
    reason: 'Opened because',
    opened: 'Opened',
    resolved: 'Resolved',
    tags: 'Tags',
    about: 'About',
    related: 'Other case',
    masked: 'Your role sees notes and resolutions masked.',
  },
  pt: {
    late: 'atrasado',
    facts: 'Resumo',
    assignee: 'Atribuído a',
    nobody: 'Ninguém',
    queue: 'Fila',
    due: 'Prazo',
    stopped: (since: string) => `Suspenso desde ${since}, porque se pediram informações à pessoa`,
    snoozed: 'Em espera até',
    analysis: 'Análise devida por lei até',
    freeze: 'Bloqueio e comunicação devidos por lei até',
    reason: 'Aberto porque',
    opened: 'Aberto',
    resolved: 'Concluído',
    tags: 'Etiquetas',
    about: 'Sobre',
    related: 'Outro caso',
    masked: 'Seu papel vê notas e conclusões mascaradas.',
  },
});

export function CasePage() {
  const { caseId } = useParams({ from: '/signed-in/cases/$caseId' });
  const query = api.useQuery('get', '/v1/cases/{caseId}', { params: { path: { caseId } } });
  const { data, error } = query;
  if (data === undefined && isProblem(error) && [400, 404, 410].includes(error.status)) return <UnknownCase />;
  return <Loaded query={query}>{(found) => <OneCase key={found.id} reviewCase={found} />}</Loaded>;
}

/** Shows a case beside everything about its subject, so that no other page is needed to work on it. */
function OneCase({ reviewCase }: { readonly reviewCase: ReviewCase }) {
  const t = useWords(words);
  const names = useCaseNames();
  const may = useMay();
  const { number, type, status, slaBreached, applicationId, businessId, evidenceDigest } = reviewCase;
  return (
    <Page
      title={`${number} · ${names.types[type]}`}
      badges={
        <>
          <Badge tone={CASE_TONES[status]}>{names.statuses[status]}</Badge>
          {slaBreached && <Badge tone="danger">{t.late}</Badge>}
        </>
      }
      actions={<CaseActions reviewCase={reviewCase} />}
    >
      {evidenceDigest === undefined && <Notice>{t.masked}</Notice>}
      <div className="columns">
        <div className="stack">
          {may('getApplication') && applicationId !== null && <CaseSubject applicationId={applicationId} />}
          {may('getBusiness') && businessId !== null && <CaseBusiness businessId={businessId} />}
          <Checklist reviewCase={reviewCase} />
          <CaseNotes reviewCase={reviewCase} />
          <CaseDocuments reviewCase={reviewCase} />
          <CaseResolutions reviewCase={reviewCase} />
          {may('createReport') && <CaseReports caseId={reviewCase.id} />}
        </div>
        <CaseFacts reviewCase={reviewCase} />
      </div>
    </Page>
  );
}

function CaseFacts({ reviewCase }: { readonly reviewCase: ReviewCase }) {
  const t = useWords(words);
  const names = useCaseNames();
  const memberName = useMemberNames();
  const { assigneeId, queue, dueAt, clockStoppedAt, snoozedUntil, statutory, openedReason, createdAt, createdBy } =
    reviewCase;
  const format = useRecordFormat(reviewCase.environment);
  const time = (name: string, at: string | null) => (at === null ? [] : [[name, format.dateTime(at)] as const]);
  return (
    <div className="stack">
      <Section title={t.facts}>
        <Facts
          facts={[
            [t.assignee, assigneeId === null ? t.nobody : memberName(assigneeId)],
            [t.queue, queue],
            ...time(t.due, dueAt),
            ...(clockStoppedAt === null ? [] : [[t.due, t.stopped(format.dateTime(clockStoppedAt))] as const]),
            ...time(t.snoozed, snoozedUntil),
            ...time(t.analysis, statutory.analysisDueAt),
            ...time(t.freeze, statutory.freezeDueAt),
            [t.reason, names.openedReasons[openedReason]],
            [t.opened, `${format.dateTime(createdAt)}, ${createdBy.display}`],
            ...time(t.resolved, reviewCase.resolvedAt),
            ...(reviewCase.tags.length === 0 ? [] : [[t.tags, reviewCase.tags.join(', ')] as const]),
          ]}
        />
      </Section>
      <CaseLinks reviewCase={reviewCase} />
    </div>
  );
}

function CaseLinks({ reviewCase }: { readonly reviewCase: ReviewCase }) {
  const { links, relatedCaseIds } = reviewCase;
  const t = useWords(words);
  const names = useCaseNames();
  const format = useRecordFormat();
  if (links.length === 0 && relatedCaseIds.length === 0) return null;
  return (
    <Section title={t.about}>
      <ul>
        {links.map(({ kind, id, parentId, addedAt }) => (
          <li key={id}>
            <RecordLink about={reviewCase} link={{ kind, id, parentId }} name={names.links[kind]} />{' '}
            <span className="muted">{format.dateTime(addedAt)}</span>
          </li>
        ))}
        {relatedCaseIds.map((caseId) => (
          <li key={caseId}>
            <Link to="/cases/$caseId" params={{ caseId }}>
              {t.related}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function RecordLink({
  about: { applicationId, businessId },
  link: { kind, id, parentId },
  name,
}: {
  readonly about: Pick<ReviewCase, 'applicationId' | 'businessId'>;
  readonly link: Pick<ReviewCase['links'][number], 'kind' | 'id' | 'parentId'>;
  readonly name: string;
}) {
  if (kind === 'hit' && parentId !== null)
    return (
      <Link to="/screenings/$screeningId" params={{ screeningId: parentId }} hash={id}>
        {name}
      </Link>
    );
  if (kind === 'alert')
    return (
      <Link to="/monitoring" search={{ status: 'all' }}>
        {name}
      </Link>
    );
  if (kind === 'assessment')
    return (
      <Link to="/risk/assessments/$assessmentId" params={{ assessmentId: id }}>
        {name}
      </Link>
    );
  if ((kind === 'registry_difference' || kind === 'power') && businessId !== null)
    return (
      <Link to="/businesses/$businessId" params={{ businessId }} hash={id}>
        {name}
      </Link>
    );
  if (kind === 'verification' && applicationId !== null)
    return (
      <Link to="/applications/$applicationId" params={{ applicationId }} hash={id}>
        {name}
      </Link>
    );
  if (kind === 'reviewed_case')
    return (
      <Link to="/cases/$caseId" params={{ caseId: id }}>
        {name}
      </Link>
    );
  return <>{name}</>;
}
