/** The page `/businesses/{businessId}` of one company, which puts all its parts together. */
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { isProblem } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { Actions } from '../applications/actions.tsx';
import { Decisions } from '../applications/decisions/decisions.tsx';
import { Documents } from '../applications/documents/documents.tsx';
import { History } from '../applications/history.tsx';
import { RequestedInformation } from '../applications/information/requested-information.tsx';
import { Requirements } from '../applications/requirements.tsx';
import { subjectOfBusiness, useMayWith } from '../applications/subject.ts';
import { type Status, TONES, useNames } from '../applications/words.ts';
import { SubjectRisk } from '../risk/subject-risk.tsx';
import { useBusinessNames } from './business-words.ts';
import { EditBusiness } from './edit-business.tsx';
import { Monitoring } from './monitoring.tsx';
import { Owners } from './owners.tsx';
import { Powers } from './powers.tsx';
import { Registry } from './registry.tsx';
import { Signatories } from './signatories.tsx';
import '../applications/refusals.ts';
import '../applications/applications.css';

const words = inLanguages({
  en: {
    unknown: 'There is no such company',
    why: 'It may belong to another environment, be erased, or its address is not complete.',
    all: 'To the companies',
    company: 'Company',
    edit: 'Edit',
    revenue: 'Monthly revenue',
    tradeName: 'Trade name',
    registration: 'Registration',
    form: 'Legal form',
    level: 'Level',
    reference: 'Reference',
    validUntil: 'Approval holds until',
    ended: 'Customer until',
  },
  pt: {
    unknown: 'Esta empresa não existe',
    why: 'Ela pode ser de outro ambiente, ter sido apagada, ou o endereço está incompleto.',
    all: 'Para as empresas',
    company: 'Empresa',
    edit: 'Editar',
    revenue: 'Faturamento mensal',
    tradeName: 'Nome fantasia',
    registration: 'Registro',
    form: 'Natureza jurídica',
    level: 'Nível',
    reference: 'Referência',
    validUntil: 'Aprovação vale até',
    ended: 'Cliente até',
  },
});

/** Statuses in which evidence is accepted: until a decision, or until the process ends without one. */
const OPEN: readonly Status[] = ['draft', 'submitted', 'in_review', 'needs_information', 'pending_approval'];

/** Statuses in which nothing of the company changes any more, unless it is opened again. */
const CLOSED: readonly Status[] = ['rejected', 'withdrawn', 'expired'];

export function BusinessPage() {
  const t = useWords(words);
  const { businessId } = useParams({ from: '/signed-in/businesses/$businessId' });
  const query = api.useQuery('get', '/v1/businesses/{businessId}', { params: { path: { businessId } } });
  const { data, error } = query;
  if (data === undefined && isProblem(error) && [400, 404, 410].includes(error.status))
    return (
      <Page title={t.unknown} lead={t.why}>
        <p>
          <ButtonLink to="/businesses">{t.all}</ButtonLink>
        </p>
      </Page>
    );
  return <Loaded query={query}>{(business) => <OneBusiness key={business.id} business={business} />}</Loaded>;
}

function OneBusiness({ business }: { readonly business: Schemas['Business'] }) {
  const { statuses } = useNames();
  const { add } = useSearch({ from: '/signed-in/businesses/$businessId' });
  const subject = subjectOfBusiness(business);
  const may = useMayWith(subject);
  const mayWatch = useMay()('listSubscriptions');
  const { id, legalName, status, decidedAt } = business;
  const uploadable = may('upload') && OPEN.includes(status);
  // What is shown masked would be saved masked.
  const editable = !CLOSED.includes(status) && !subject.personalDataMasked;
  return (
    <Page
      title={legalName}
      badges={<Badge tone={TONES[status]}>{statuses[status]}</Badge>}
      actions={<Actions subject={subject} />}
    >
      <div className="columns">
        <div className="stack">
          <RequestedInformation subject={subject} editable={false} uploadable={uploadable} />
          <Requirements subject={subject} editable={false} uploadable={uploadable} />
          <Documents subject={subject} uploadable={uploadable} adding={add} />
          {status !== 'draft' && <SubjectRisk subject={{ businessId: id }} />}
          {decidedAt !== null && mayWatch && <Monitoring businessId={id} />}
          <Registry businessId={id} />
          <Owners businessId={id} company={legalName} editable={editable} />
          <Powers subject={subject} editable={editable} />
          <Signatories subject={subject} />
          {status !== 'draft' && <Decisions subject={subject} />}
        </div>
        <div className="stack">
          <Summary business={business} />
          <History subject={subject} />
        </div>
      </div>
    </Page>
  );
}

function Summary({ business }: { readonly business: Schemas['Business'] }) {
  const t = useWords(words);
  const { levels } = useNames();
  const { forms } = useBusinessNames();
  const format = useRecordFormat(business.environment);
  const may = useMay();
  const [isEditing, setIsEditing] = useState(false);
  const { status, tradeName, registration, legalForm, level, monthlyRevenue, externalId } = business;
  const { validUntil, relationshipEndedAt } = business;
  return (
    <Section
      title={t.company}
      actions={
        !CLOSED.includes(status) &&
        may('updateBusiness') && (
          <Button small aria-label={`${t.edit}: ${t.company}`} onClick={() => setIsEditing(true)}>
            {t.edit}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          ...(tradeName === null ? [] : [[t.tradeName, tradeName] as const]),
          [t.registration, `${registration.number} (${registration.country})`],
          [t.form, forms[legalForm]],
          [t.level, levels[level]],
          ...(monthlyRevenue === null
            ? []
            : [[t.revenue, format.money(monthlyRevenue.amount, monthlyRevenue.currency)] as const]),
          ...(externalId === null ? [] : [[t.reference, externalId] as const]),
          ...(validUntil === null ? [] : [[t.validUntil, format.day(validUntil)] as const]),
          ...(relationshipEndedAt === null ? [] : [[t.ended, format.day(relationshipEndedAt)] as const]),
        ]}
      />
      {isEditing && <EditBusiness business={business} close={() => setIsEditing(false)} />}
    </Section>
  );
}
