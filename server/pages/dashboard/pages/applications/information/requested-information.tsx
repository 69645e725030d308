/**
 * What was asked of the applicant and is still open. Part of application-page.tsx, which also asks it which members can
 * be corrected meanwhile.
 */
import type { Schemas } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import { useFormat } from '../../../ui/format.ts';
import { Section } from '../../../ui/page.tsx';
import { Ways } from '../requirements.tsx';
import type { Subject } from '../subject.ts';
import { nameOf, useNames } from '../words.ts';

const words = inLanguages({
  en: {
    title: { application: 'Asked of the applicant', business: 'Asked of the company' },
    due: (day: string) => `To be answered by ${day}; then submit it again.`,
    note: 'For colleagues',
  },
  pt: {
    title: { application: 'Pedido ao solicitante', business: 'Pedido à empresa' },
    due: (day: string) => `Responder até ${day}; depois, envie de novo.`,
    note: 'Para colegas',
  },
});

function openRequest({ informationRequests = [] }: Pick<Subject, 'informationRequests'>) {
  return informationRequests.find(({ status }) => status === 'open');
}

/**
 * Returns the sources that can answer a requested requirement: all that meet it, or the one document that was named.
 */
function answersTo(
  { requirements }: Pick<Subject, 'requirements'>,
  { requirementKey, documentType }: Schemas['InformationRequestItem'],
) {
  const { satisfiedBy = [] } = requirements.items.find(({ key }) => key === requirementKey) ?? {};
  return satisfiedBy.filter((source) => documentType === null || source.documentType === documentType);
}

/**
 * Returns the requested members as JSON Pointers. Nothing else can be corrected while the application waits for the
 * applicant.
 */
export function requestedMembers(application: Pick<Subject, 'informationRequests' | 'requirements'>): string[] {
  return (openRequest(application)?.items ?? [])
    .flatMap((item) => answersTo(application, item))
    .flatMap(({ pointer = [] }) => pointer);
}

interface Props {
  readonly subject: Subject;
  readonly editable: boolean;
  readonly uploadable: boolean;
}

/**
 * Lists the items requested from the applicant, each with a link to where it is entered; nothing if none is requested.
 */
export function RequestedInformation({ subject, editable, uploadable }: Props) {
  const t = useWords(words);
  const names = useNames();
  const format = useFormat();
  const open = openRequest(subject);
  if (open === undefined) return null;
  return (
    <Section title={t.title[subject.kind]} id="asked-for">
      <p className="muted">{t.due(format.dateTime(open.dueAt))}</p>
      <ul className="document-list">
        {open.items.map((item) => (
          <li key={item.requirementKey} className="document">
            <p>
              <strong>{nameOf(names.requirements, item.requirementKey)}</strong>
              {item.documentType !== null && ` · ${nameOf(names.documentTypes, item.documentType)}`}
            </p>
            <p className="hint">{item.messageToApplicant}</p>
            <Ways
              subject={subject}
              requirement={{ key: item.requirementKey, satisfiedBy: answersTo(subject, item) }}
              editable={editable}
              uploadable={uploadable}
            />
          </li>
        ))}
      </ul>
      {open.internalNote !== null && (
        <p>
          <strong>{t.note}:</strong> {open.internalNote}
        </p>
      )}
    </Section>
  );
}
