/** The company that a case is about, beside the work on the case, in place of an applicant. */
import { Link } from '@tanstack/react-router';
import { api } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { TONES, useNames } from '../applications/words.ts';

const words = inLanguages({
  en: {
    title: 'The business',
    name: 'Name',
    number: 'Registration',
    status: 'Status',
    open: 'Open the business',
    level: 'Level',
    approvedUntil: 'Approved until',
    requirements: 'Missing',
    nothingMissing: 'Nothing',
  },
  pt: {
    title: 'A empresa',
    name: 'Nome',
    number: 'Registro',
    status: 'Situação',
    open: 'Abrir a empresa',
    level: 'Nível',
    approvedUntil: 'Aprovada até',
    requirements: 'Faltam',
    nothingMissing: 'Nada',
  },
});

/** Shows which business the case is about, with what is missing. */
export function CaseBusiness({ businessId }: { readonly businessId: string }) {
  const t = useWords(words);
  const names = useNames();
  const format = useFormat();
  const business = api.useQuery('get', '/v1/businesses/{businessId}', { params: { path: { businessId } } });
  return (
    <Section title={t.title}>
      <Loaded query={business}>
        {({ legalName, registration, status, level, validUntil, requirements }) => {
          const missing = (requirements?.items ?? []).filter((one) => one.status === 'missing');
          return (
            <Facts
              facts={[
                [
                  t.name,
                  <Link key="name" to="/businesses/$businessId" params={{ businessId }} title={t.open}>
                    {legalName}
                  </Link>,
                ],
                [t.number, registration.number],
                [
                  t.status,
                  <Badge key="status" tone={TONES[status]}>
                    {names.statuses[status]}
                  </Badge>,
                ],
                [t.level, names.levels[level]],
                ...(validUntil === null ? [] : [[t.approvedUntil, format.dateTime(validUntil)] as const]),
                [t.requirements, missing.length === 0 ? t.nothingMissing : missing.length],
              ]}
            />
          );
        }}
      </Loaded>
    </Section>
  );
}
