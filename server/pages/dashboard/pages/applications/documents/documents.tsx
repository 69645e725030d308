/** The documents of an application and their upload. Part of application-page.tsx. */
import { ButtonLink } from '../../../ui/button.tsx';
import { useMay } from '../../../core/current.tsx';
import { inLanguages, useWords } from '../../../core/language.ts';
import { Section } from '../../../ui/page.tsx';
import type { Application, Document, DocumentType } from '../words.ts';
import { DocumentCard } from './document-card.tsx';
import { Upload } from './upload.tsx';

const words = inLanguages({
  en: { title: 'Documents', none: 'No document has been added yet.', add: 'Add a document' },
  pt: { title: 'Documentos', none: 'Nenhum documento foi acrescentado ainda.', add: 'Acrescentar um documento' },
});

/**
 * Lists the documents and, if `uploadable`, offers an upload. `adding` is the type that its form selects first; without
 * it, only a button is shown.
 */
export function Documents({
  application,
  uploadable,
  adding,
}: {
  readonly application: Application;
  readonly uploadable: boolean;
  readonly adding: DocumentType | undefined;
}) {
  const t = useWords(words);
  const isAllowed = useMay();
  const { id, status, documents = [], consents = [], requirements, personalDataMasked } = application;
  const mayOpen = isAllowed('downloadDocument') && !personalDataMasked;
  const mayDelete = isAllowed('deleteDocument') && status === 'draft';
  const isConsentEvidence = (document: Document) =>
    consents.some(({ evidenceDocumentId }) => evidenceDocumentId === document.id);
  const missingSources = requirements.items
    .filter(({ alternatives }) => alternatives.length > 0)
    .flatMap(({ satisfiedBy }) => satisfiedBy);
  const add = uploadable && adding === undefined && (
    <ButtonLink
      small
      to="/applications/$applicationId"
      params={{ applicationId: id }}
      search={{ add: 'other' }}
      resetScroll={false}
    >
      {t.add}
    </ButtonLink>
  );
  return (
    <Section title={t.title} actions={add} id="documents">
      {uploadable && adding !== undefined && (
        <Upload key={adding} applicationId={id} initialType={adding} missingSources={missingSources} />
      )}
      {documents.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <ul className="document-list">
          {documents.map((document) => (
            <DocumentCard
              key={document.id}
              applicationId={id}
              document={document}
              mayOpen={mayOpen}
              mayDelete={mayDelete && !isConsentEvidence(document)}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}
