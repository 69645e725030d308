/** The facts about an application apart from its applicant. Part of application-page.tsx. */
import { Link } from '@tanstack/react-router';
import { inLanguages, useWords } from '../../core/language.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { useFormat } from '../../ui/format.ts';
import { Facts, Section } from '../../ui/page.tsx';
import { fieldWords } from './form/field-words.ts';
import { type Application, useNames } from './words.ts';

const words = inLanguages({
  en: {
    title: 'Summary',
    id: 'Application ID',
    created: 'Created',
    by: 'By',
    changed: 'Last change',
    submitted: 'Submitted',
    decided: 'Decided',
    validUntil: 'Approved until',
    reviewDue: 'To be reviewed',
    relationshipEnded: 'Customer until',
    renews: 'Renews',
    earlier: 'an earlier application',
    expires: 'Expires',
    metadata: 'Metadata',
    environment: 'Environment',
    live: 'Live',
    sandbox: 'Sandbox',
    note: 'Note',
  },
  pt: {
    title: 'Resumo',
    id: 'ID da solicitação',
    created: 'Criada',
    by: 'Por',
    changed: 'Última mudança',
    submitted: 'Enviada',
    decided: 'Decidida',
    validUntil: 'Aprovada até',
    reviewDue: 'Próxima revisão',
    relationshipEnded: 'Cliente até',
    renews: 'Renova',
    earlier: 'uma solicitação anterior',
    expires: 'Expira',
    metadata: 'Metadados',
    environment: 'Ambiente',
    live: 'Produção',
    sandbox: 'Sandbox',
    note: 'Observação',
  },
});

/** Shows the data of the application apart from its applicant. */
export function Summary({ application }: { readonly application: Application }) {
  const t = useWords(words);
  const labels = useWords(fieldWords);
  const names = useNames();
  const format = useFormat();
  const {
    id,
    externalId,
    level,
    purpose,
    channel,
    productCodes,
    environment,
    createdAt,
    createdBy,
    updatedAt,
    submittedAt,
    decidedAt,
    validUntil,
    reviewDueAt,
    relationshipEndedAt,
    renewsApplicationId,
    expiresAt,
    statusNote,
    metadata,
  } = application;
  const extra = Object.entries(metadata).filter(([key]) => key !== 'sandbox');
  return (
    <Section title={t.title}>
      <Facts
        facts={[
          [labels.purpose, names.purposes[purpose]],
          [labels.level, names.levels[level]],
          [labels.channel, names.channels[channel]],
          [t.environment, environment === 'live' ? t.live : t.sandbox],
          ...(externalId === null
            ? []
            : [[labels.externalId, <Copyable key="external" text={externalId} what={labels.externalId} />] as const]),
          ...(productCodes.length === 0 ? [] : [[labels.products, productCodes.join(', ')] as const]),
          [t.created, format.dateTime(createdAt)],
          [t.by, createdBy.display],
          [t.changed, format.dateTime(updatedAt)],
          ...(submittedAt === null ? [] : [[t.submitted, format.dateTime(submittedAt)] as const]),
          ...(decidedAt === null ? [] : [[t.decided, format.dateTime(decidedAt)] as const]),
          ...(validUntil === null ? [] : [[t.validUntil, format.dateTime(validUntil)] as const]),
          ...(reviewDueAt === null ? [] : [[t.reviewDue, format.dateTime(reviewDueAt)] as const]),
          ...(relationshipEndedAt === null
            ? []
            : [[t.relationshipEnded, format.dateTime(relationshipEndedAt)] as const]),
          ...(renewsApplicationId === null
            ? []
            : [
                [
                  t.renews,
                  <Link key="renews" to="/applications/$applicationId" params={{ applicationId: renewsApplicationId }}>
                    {t.earlier}
                  </Link>,
                ] as const,
              ]),
          ...(expiresAt === null ? [] : [[t.expires, format.dateTime(expiresAt)] as const]),
          ...(statusNote == null ? [] : [[t.note, statusNote] as const]),
          ...(extra.length === 0
            ? []
            : [[t.metadata, extra.map(([key, value]) => `${key}: ${String(value)}`).join(', ')] as const]),
          [t.id, <Copyable key="id" text={id} what={t.id} />],
        ]}
      />
    </Section>
  );
}
