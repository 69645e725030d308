import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Section } from '../../ui/page.tsx';
import { Problems } from '../../ui/problems.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { announce } from '../../ui/toasts.tsx';
import { type DocumentType, optionsOf, useNames } from '../applications/words.ts';
import type { ReviewCase } from './case-words.ts';
import { useCaseChanged } from './changed.ts';

type Document = Schemas['Document'];

const words = inLanguages({
  en: {
    title: 'Documents of the case',
    none: 'No document has been added to the case.',
    add: 'Add a document',
    type: 'What it is',
    file: 'File',
    kinds: 'JPEG, PNG, WebP or PDF, up to 15 MB.',
    choose: 'Choose a file.',
    upload: 'Upload',
    added: 'The document is added.',
    save: 'Save the file',
    audited: 'Each download is recorded in the audit log.',
  },
  pt: {
    title: 'Documentos do caso',
    none: 'Nenhum documento foi acrescentado ao caso.',
    add: 'Acrescentar um documento',
    type: 'O que é',
    file: 'Arquivo',
    kinds: 'JPEG, PNG, WebP ou PDF, até 15 MB.',
    choose: 'Escolha um arquivo.',
    upload: 'Enviar',
    added: 'O documento foi acrescentado.',
    save: 'Salvar o arquivo',
    audited: 'Cada download é registrado na trilha de auditoria.',
  },
});

/** Lists the files of a case, saves them on request, because each download is audited, and adds others. */
export function CaseDocuments({ reviewCase }: { readonly reviewCase: ReviewCase }) {
  const t = useWords(words);
  const may = useMay();
  const [adding, setAdding] = useState(false);
  const { id, documents = [], evidenceDigest, status } = reviewCase;
  const mayAdd = may('uploadCaseDocument') && evidenceDigest !== undefined && status !== 'resolved';
  const mayOpen = may('downloadCaseDocument') && evidenceDigest !== undefined;
  const add = mayAdd && !adding && (
    <Button small onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  );
  return (
    <Section title={t.title} actions={add} id="case-documents">
      {adding && <NewDocument caseId={id} close={() => setAdding(false)} />}
      {documents.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <ul className="document-list">
          {documents.map((document) => (
            <OneDocument key={document.id} caseId={id} document={document} mayOpen={mayOpen} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function OneDocument({
  caseId,
  document: { id, type, fileName, createdAt, status },
  mayOpen,
}: {
  readonly caseId: string;
  readonly document: Document;
  readonly mayOpen: boolean;
}) {
  const t = useWords(words);
  const names = useNames();
  const format = useFormat();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      const params = { path: { caseId, documentId: id } };
      const call = client.GET('/v1/cases/{caseId}/documents/{documentId}/content', { params, parseAs: 'blob' });
      saveFile(fileName, await answerOf(call));
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className="document">
      <div className="document-head">
        <div>
          <p>
            <strong>{names.documentTypes[type]}</strong>
          </p>
          <p className="hint">
            {fileName} · {format.dateTime(createdAt)}
          </p>
        </div>
        {mayOpen && status !== 'erased' && (
          <Button small busy={busy} onClick={() => void save()} title={t.audited} aria-label={`${t.save}: ${fileName}`}>
            {t.save}
          </Button>
        )}
      </div>
      {error !== null && <Problems error={error} />}
    </li>
  );
}

function NewDocument({ caseId, close }: { readonly caseId: string; readonly close: () => void }) {
  const t = useWords(words);
  const names = useNames();
  const keyFor = useIdempotencyKey();
  const changed = useCaseChanged();
  const initial: { readonly type: DocumentType; readonly file: File | null } = { type: 'other', file: null };
  const form = useForm({
    initial,
    required: { file: t.choose },
    submit: async ({ type, file }) => {
      if (file === null) return;
      const key = keyFor({
        caseId,
        type,
        name: file.name,
        size: file.size,
        changed: file.lastModified,
      });
      await answerOf(
        client.POST('/v1/cases/{caseId}/documents', {
          params: { path: { caseId }, header: { 'Idempotency-Key': key } },
          body: { type, side: 'single', file },
          bodySerializer: () => multipart(type, file),
        }),
      );
      await changed(caseId);
      announce(t.added);
      close();
    },
  });
  return (
    <Form form={form} action={t.upload} cancel={close}>
      <SelectField field={form.field('type')} label={t.type} options={optionsOf(names.documentTypes)} />
      <FileField
        field={form.field('file')}
        label={t.file}
        hint={t.kinds}
        accept="image/jpeg,image/png,image/webp,application/pdf"
      />
    </Form>
  );
}

function multipart(type: DocumentType, file: File): FormData {
  const parts = new FormData();
  parts.append('type', type);
  parts.append('side', 'single');
  parts.append('file', file, file.name);
  return parts;
}
