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

/** Shows the documents, and an upload while the application accepts more. `adding` is the initially selected type. */
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
  const may = useMay();
  const { id, status, documents = [], consents = [], requirements, personalDataMasked } = application;
  const mayOpen = may('downloadDocument') && !personalDataMasked;
  const mayDelete = may('deleteDocument') && status === 'draft';
  const isProof = (document: Document) => consents.some(({ evidenceDocumentId }) => evidenceDocumentId === document.id);
  const wanted = requirements.items
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
      {uploadable && adding !== undefined && <Upload key={adding} applicationId={id} first={adding} wanted={wanted} />}
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
              mayDelete={mayDelete && !isProof(document)}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}
