/** The page `/businesses/{businessId}`: one company with its requirements, owners, powers and signatories. */
import { useParams } from '@tanstack/react-router';
import { api, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { isProblem } from '../../core/problem.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { nameOf, TONES, useNames } from '../applications/words.ts';
import { SubjectRisk } from '../risk/subject-risk.tsx';
import { useBusinessNames } from './business-words.ts';
import { Owners } from './owners.tsx';
import { Powers, Signatories } from './powers.tsx';

const words = inLanguages({
  en: {
    unknown: 'There is no such company',
    why: 'It may belong to another environment, be erased, or its address is not complete.',
    all: 'To the companies',
    company: 'Company',
    tradeName: 'Trade name',
    registration: 'Registration',
    form: 'Legal form',
    level: 'Level',
    reference: 'Reference',
    validUntil: 'Approval holds until',
    requirements: 'Requirements',
    requirement: 'Requirement',
    status: 'Status',
    states: {
      missing: 'Missing',
      provided: 'Provided',
      verified: 'Established',
      failed: 'Not met',
      waived: 'Waived',
    },
  },
  pt: {
    unknown: 'Esta empresa não existe',
    why: 'Ela pode ser de outro ambiente, ter sido apagada, ou o endereço está incompleto.',
    all: 'Para as empresas',
    company: 'Empresa',
    tradeName: 'Nome fantasia',
    registration: 'Registro',
    form: 'Natureza jurídica',
    level: 'Nível',
    reference: 'Referência',
    validUntil: 'Aprovação vale até',
    requirements: 'Requisitos',
    requirement: 'Requisito',
    status: 'Situação',
    states: {
      missing: 'Falta',
      provided: 'Enviado',
      verified: 'Comprovado',
      failed: 'Não atendido',
      waived: 'Dispensado',
    },
  },
});

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
  const t = useWords(words);
  const { statuses, levels } = useNames();
  const { forms } = useBusinessNames();
  const format = useRecordFormat(business.environment);
  const { id, legalName, tradeName, registration, legalForm, level, status, externalId, validUntil } = business;
  return (
    <Page title={legalName} badges={<Badge tone={TONES[status]}>{statuses[status]}</Badge>}>
      <Section title={t.company}>
        <Facts
          facts={[
            ...(tradeName === null ? [] : [[t.tradeName, tradeName] as const]),
            [t.registration, `${registration.number} (${registration.country})`],
            [t.form, forms[legalForm]],
            [t.level, levels[level]],
            ...(externalId === null ? [] : [[t.reference, externalId] as const]),
            ...(validUntil === null ? [] : [[t.validUntil, format.day(validUntil)] as const]),
          ]}
        />
      </Section>
      <Requirements items={business.requirements?.items ?? []} />
      {status !== 'draft' && <SubjectRisk subject={{ businessId: id }} />}
      <Owners businessId={id} company={legalName} />
      <Powers businessId={id} />
      <Signatories businessId={id} />
    </Page>
  );
}

const STATE_TONES: Readonly<Record<Schemas['Requirement']['status'], Tone>> = {
  missing: 'warning',
  provided: 'info',
  verified: 'good',
  failed: 'danger',
  waived: 'neutral',
};

function Requirements({ items }: { readonly items: readonly Schemas['Requirement'][] }) {
  const t = useWords(words);
  const names = useBusinessNames();
  return (
    <Section title={t.requirements}>
      <table className="table">
        <caption className="visually-hidden">{t.requirements}</caption>
        <thead>
          <tr>
            <th scope="col">{t.requirement}</th>
            <th scope="col">{t.status}</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ key, status, reasonCode }) => (
            <tr key={key}>
              <th scope="row">{nameOf(names.requirements, key)}</th>
              <td data-label={t.status}>
                <Badge tone={STATE_TONES[status]}>{t.states[status]}</Badge>
                {reasonCode !== null && <span className="muted"> {nameOf(names.reasons, reasonCode)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
