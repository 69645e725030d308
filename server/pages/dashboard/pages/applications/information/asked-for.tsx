import { inLanguages, useWords } from '../../../app/language.ts';
import { useFormat } from '../../../ui/format.ts';
import { Section } from '../../../ui/page.tsx';
import { type Application, nameOf, useNames } from '../words.ts';

const words = inLanguages({
  en: { title: 'Asked of the applicant', due: (day: string) => `To be answered by ${day}; then submit the application again.`, note: 'For colleagues' },
  pt: { title: 'Pedido ao solicitante', due: (day: string) => `Responder até ${day}; depois, envie a solicitação de novo.`, note: 'Para colegas' },
});

/** What the applicant is asked for now; nothing while nobody waits for them. */
export function AskedFor({ application: { informationRequests = [] } }: { readonly application: Application }) {
  const t = useWords(words);
  const names = useNames();
  const format = useFormat();
  const open = informationRequests.find(({ status }) => status === 'open');
  if (open === undefined) return null;
  return (
    <Section title={t.title} id="asked-for">
      <p className="muted">{t.due(format.dateTime(open.dueAt))}</p>
      <ul className="document-list">
        {open.items.map(({ requirementKey, documentType, messageToApplicant }) => (
          <li key={requirementKey} className="document">
            <p><strong>{nameOf(names.requirements, requirementKey)}</strong>{documentType !== null && ` · ${nameOf(names.documentTypes, documentType)}`}</p>
            <p className="hint">{messageToApplicant}</p>
          </li>
        ))}
      </ul>
      {open.internalNote !== null && <p><strong>{t.note}:</strong> {open.internalNote}</p>}
    </Section>
  );
}
