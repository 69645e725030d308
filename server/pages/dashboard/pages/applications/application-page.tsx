/**
 * The page `/applications/…` of one application, which puts all its parts together. Opened by shell/routes.tsx. An id
 * that does not exist, or was erased, leads back to the list.
 */
import { useParams, useSearch } from '@tanstack/react-router';
import { api } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { isProblem } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Actions } from './actions.tsx';
import { Applicant, EditApplication } from './applicant.tsx';
import { Consents } from './consents/consents.tsx';
import { Decisions } from './decisions/decisions.tsx';
import { Documents } from './documents/documents.tsx';
import { isField } from './form/values.ts';
import { History } from './history.tsx';
import { RequestedInformation, requestedMembers } from './information/requested-information.tsx';
import { Requirements } from './requirements.tsx';
import { SubjectRisk } from '../risk/subject-risk.tsx';
import { ApplicantScreening } from './screening.tsx';
import { subjectOfApplication } from './subject.ts';
import { Summary } from './summary.tsx';
import { Verifications } from './verifications/verifications.tsx';
import { type Application, type Status, TONES, useNames } from './words.ts';
import './refusals.ts';
import './applications.css';

const words = inLanguages({
  en: {
    explained: {
      draft: 'Not submitted yet.',
      submitted: 'Submitted; the review begins.',
      in_review: 'Submitted and being reviewed.',
      needs_information: 'The review waits for more information.',
      pending_approval: 'Reviewed; a second person has to approve.',
      approved: 'Approved.',
      rejected: 'Rejected.',
      withdrawn: 'Withdrawn; it cannot be opened again.',
      expired:
        'Over: nobody submitted the draft, or answered what was asked, in time; or the approval ' +
        'has run out or was renewed.',
    } satisfies Record<Status, string>,
    expires: (day: string) => `The draft expires ${day}.`,
    unknown: 'There is no such application',
    why: 'It may belong to another tenant, or its address is not complete.',
    erased: 'The application was erased',
    gone: 'What it held is gone for good. The audit log tells when and why.',
    list: 'To the applications',
  },
  pt: {
    explained: {
      draft: 'Ainda não foi enviada.',
      submitted: 'Enviada; a análise vai começar.',
      in_review: 'Enviada e em análise.',
      needs_information: 'A análise espera mais informações.',
      pending_approval: 'Analisada; outra pessoa precisa aprovar.',
      approved: 'Aprovada.',
      rejected: 'Recusada.',
      withdrawn: 'Retirada; não pode ser reaberta.',
      expired:
        'Encerrada: ninguém enviou o rascunho, ou respondeu ao que foi pedido, a tempo; ou a ' +
        'aprovação venceu ou foi renovada.',
    } satisfies Record<Status, string>,
    expires: (day: string) => `O rascunho expira ${day}.`,
    unknown: 'Esta solicitação não existe',
    why: 'Ela pode ser de outro inquilino, ou o endereço está incompleto.',
    erased: 'A solicitação foi apagada',
    gone: 'O que ela continha não existe mais. A trilha de auditoria diz quando e por quê.',
    list: 'Para as solicitações',
  },
});

/** Statuses in which evidence is accepted: until a decision, or until the application ends without one. */
const OPEN: readonly Status[] = ['draft', 'submitted', 'in_review', 'needs_information', 'pending_approval'];

export function ApplicationPage() {
  const { applicationId } = useParams({ from: '/signed-in/applications/$applicationId' });
  const application = api.useQuery('get', '/v1/applications/{applicationId}', { params: { path: { applicationId } } });
  const { data, error } = application;
  if (data === undefined && isProblem(error) && [400, 404, 410].includes(error.status))
    return <NoApplication isErased={error.status === 410} />;
  return <Loaded query={application}>{(found) => <OneApplication key={found.id} application={found} />}</Loaded>;
}

/** A retry cannot help, so this page leads back to the list. */
function NoApplication({ isErased }: { readonly isErased: boolean }) {
  const t = useWords(words);
  return (
    <Page title={isErased ? t.erased : t.unknown} lead={isErased ? t.gone : t.why}>
      <p>
        <ButtonLink to="/applications">{t.list}</ButtonLink>
      </p>
    </Page>
  );
}

function OneApplication({ application }: { readonly application: Application }) {
  const t = useWords(words);
  const names = useNames();
  const format = useRecordFormat();
  const may = useMay();
  const { edit, add } = useSearch({ from: '/signed-in/applications/$applicationId' });
  const { status, applicant, expiresAt, personalDataMasked } = application;
  const subject = subjectOfApplication(application);
  const requested = requestedMembers(application);
  const writable = may('updateApplication') && !personalDataMasked;
  const editable = writable && status === 'draft';
  const correctable = writable && status === 'needs_information' && requested.length > 0;
  const uploadable = may('uploadDocument') && OPEN.includes(status);
  const lead = [
    t.explained[status],
    status === 'draft' && expiresAt !== null ? t.expires(format.relative(expiresAt)) : '',
  ]
    .join(' ')
    .trim();
  return (
    <Page
      title={applicant.fullName}
      badges={<Badge tone={TONES[status]}>{names.statuses[status]}</Badge>}
      lead={lead}
      actions={<Actions subject={subject} />}
    >
      <div className="columns">
        <div className="stack">
          {(editable || correctable) && edit !== undefined ? (
            <EditApplication
              key={edit}
              application={application}
              asked={correctable ? requested : null}
              focus={isField(edit) ? edit : 'fullName'}
            />
          ) : (
            <>
              <RequestedInformation subject={subject} editable={correctable} uploadable={uploadable} />
              <Requirements subject={subject} editable={editable} uploadable={uploadable} />
              <Documents subject={subject} uploadable={uploadable} adding={add} />
              <Verifications application={application} />
              {status !== 'draft' && <ApplicantScreening application={application} />}
              {status !== 'draft' && <SubjectRisk subject={{ applicationId: application.id }} />}
              <Consents application={application} />
              {status !== 'draft' && <Decisions subject={subject} />}
              <Applicant application={application} editable={editable} />
            </>
          )}
        </div>
        <div className="stack">
          <Summary application={application} />
          <History subject={subject} />
        </div>
      </div>
    </Page>
  );
}
