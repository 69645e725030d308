/** The documents of an application or a company and their upload. Part of the pages of both. */
import { inLanguages, useWords } from '../../../core/language.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { SubjectLink } from '../subject-link.tsx';
import { type Subject, useMayWith } from '../subject.ts';
import type { DocumentType } from '../words.ts';
import { DocumentCard } from './document-card.tsx';
import { Upload } from './upload.tsx';

const words = inLanguages({
  en: {
    title: 'Documents',
    none: 'No document has been added yet.',
    add: 'Add a document',
    camera: 'Photograph a document',
  },
  pt: {
    title: 'Documentos',
    none: 'Nenhum documento foi acrescentado ainda.',
    add: 'Acrescentar um documento',
    camera: 'Fotografar um documento',
  },
});

/**
 * Lists the documents and, if `uploadable`, offers an upload. `adding` is the type that its form selects first; without
 * it, only a button is shown.
 */
export function Documents({
  subject,
  uploadable,
  adding,
}: {
  readonly subject: Subject;
  readonly uploadable: boolean;
  readonly adding: DocumentType | undefined;
}) {
  const t = useWords(words);
  const isAllowed = useMayWith(subject);
  const { status, documents = [], consentDocumentIds, requirements, personalDataMasked } = subject;
  const mayOpen = isAllowed('download') && !personalDataMasked;
  const mayDelete = isAllowed('remove') && status === 'draft';
  const missingSources = requirements.items
    .filter(({ alternatives }) => alternatives.length > 0)
    .flatMap(({ satisfiedBy }) => satisfiedBy);
  const add = uploadable && adding === undefined && (
    <>
      {/* Loaded, because only that document may use the camera. */}
      {subject.kind === 'application' && (
        <a className={buttonClass({})} href={`/camera?applicationId=${subject.id}`}>
          {t.camera}
        </a>
      )}
      <SubjectLink subject={subject} search={{ add: 'other' }} isButton>
        {t.add}
      </SubjectLink>
    </>
  );
  return (
    <Section title={t.title} actions={add} id="documents">
      {uploadable && adding !== undefined && (
        <Upload key={adding} subject={subject} initialType={adding} missingSources={missingSources} />
      )}
      {documents.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <ul className="document-list">
          {documents.map((document) => (
            <DocumentCard
              key={document.id}
              subject={subject}
              document={document}
              mayOpen={mayOpen}
              mayDelete={mayDelete && !consentDocumentIds.includes(document.id)}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}
