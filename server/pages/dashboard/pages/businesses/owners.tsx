/** Who owns and controls a company, person by person. Part of business-page.tsx. */
import { useState } from 'react';
import { api } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { nameOf } from '../applications/words.ts';
import { useBusinessNames } from './business-words.ts';
import { EditOwners } from './edit-owners.tsx';
import { PartyApplications } from './party-applications.tsx';
import { Structure } from './structure.tsx';

const words = inLanguages({
  en: {
    title: 'Owners',
    edit: 'Edit',
    structure: 'Structure of the company',
    applications: 'Applications of the people',
    none: 'No owners are recorded.',
    complete: (version: string) => `Version ${version}: nobody else can be a beneficial owner.`,
    incomplete: (version: string, percent: string) => `Version ${version}: ${percent} % of the company is unresolved.`,
    person: 'Person',
    verdict: 'Beneficial owner',
    known: 'Known share',
    worst: 'At most',
    control: 'Control',
  },
  pt: {
    title: 'Proprietários',
    edit: 'Editar',
    structure: 'Estrutura da empresa',
    applications: 'Solicitações das pessoas',
    none: 'Nenhum proprietário registrado.',
    complete: (version: string) => `Versão ${version}: ninguém mais pode ser beneficiário final.`,
    incomplete: (version: string, percent: string) => `Versão ${version}: ${percent} % da empresa sem esclarecimento.`,
    person: 'Pessoa',
    verdict: 'Beneficiário final',
    known: 'Participação conhecida',
    worst: 'No máximo',
    control: 'Controle',
  },
});

const TONES: Readonly<Record<string, Tone>> = { yes: 'info', possible: 'warning', no: 'neutral' };

interface Props {
  readonly businessId: string;
  readonly company: string;
  readonly editable: boolean;
}

export function Owners({ businessId, company, editable }: Props) {
  const t = useWords(words);
  const { verdicts } = useBusinessNames();
  const format = useFormat();
  const query = api.useQuery('get', '/v1/businesses/{businessId}/ownership', { params: { path: { businessId } } });
  const may = useMay();
  const [open, setOpen] = useState<'applications' | 'edit' | null>(null);
  const parties = query.data?.parties ?? [];
  const percent = (value: number) => `${format.number(value)} %`;
  return (
    <Section
      title={t.title}
      actions={
        <>
          {editable && query.data !== undefined && may('replaceOwnership') && (
            <Button small aria-label={`${t.edit}: ${t.title}`} onClick={() => setOpen('edit')}>
              {t.edit}
            </Button>
          )}
          {may('createPartyApplications') && parties.some(({ kind }) => kind === 'person') && (
            <Button small onClick={() => setOpen('applications')}>
              {t.applications}
            </Button>
          )}
        </>
      }
    >
      <Loaded query={query}>
        {(ownership) => {
          const { version, assessment } = ownership;
          const { complete, unresolvedPercent, items } = assessment;
          return version === 0 ? (
            <p className="muted">{t.none}</p>
          ) : (
            <div className="stack">
              <p>
                {complete
                  ? t.complete(format.number(version))
                  : t.incomplete(format.number(version), format.number(unresolvedPercent))}
              </p>
              <Structure title={t.structure} company={company} ownership={ownership} />
              <table className="table">
                <caption className="visually-hidden">{t.title}</caption>
                <thead>
                  <tr>
                    {[t.person, t.verdict, t.known, t.worst, t.control].map((name) => (
                      <th key={name} scope="col">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ partyKey, name, isBeneficialOwner, economicPercent, controlPercent }) => (
                    <tr key={partyKey}>
                      <th scope="row">{name}</th>
                      <td data-label={t.verdict}>
                        <Badge tone={TONES[isBeneficialOwner] ?? 'neutral'}>
                          {nameOf(verdicts, isBeneficialOwner)}
                        </Badge>
                      </td>
                      <td data-label={t.known}>{percent(economicPercent.known)}</td>
                      <td data-label={t.worst}>{percent(economicPercent.worstCase)}</td>
                      <td data-label={t.control}>{percent(controlPercent)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          );
        }}
      </Loaded>
      {open === 'applications' && (
        <PartyApplications businessId={businessId} parties={parties} close={() => setOpen(null)} />
      )}
      {open === 'edit' && query.data !== undefined && (
        <EditOwners businessId={businessId} ownership={query.data} close={() => setOpen(null)} />
      )}
    </Section>
  );
}
