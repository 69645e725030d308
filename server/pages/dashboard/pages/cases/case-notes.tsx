import { client } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { CheckboxGroup, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import type { ReviewCase } from './case-words.ts';
import { useCaseChanged } from './changed.ts';

const words = inLanguages({
  en: {
    title: 'Notes',
    none: 'There is no note yet.',
    note: 'New note',
    hint: 'A note cannot be changed or deleted afterwards.',
    documents: 'Documents that belong to it',
    add: 'Add the note',
    added: 'The note is added.',
    missing: { text: 'Write the note.' },
    withDocuments: (names: string) => `With ${names}.`,
  },
  pt: {
    title: 'Notas',
    none: 'Ainda não há notas.',
    note: 'Nova nota',
    hint: 'Uma nota não pode ser alterada nem apagada depois.',
    documents: 'Documentos que pertencem a ela',
    add: 'Acrescentar a nota',
    added: 'A nota foi acrescentada.',
    missing: { text: 'Escreva a nota.' },
    withDocuments: (names: string) => `Com ${names}.`,
  },
});

export function CaseNotes({ reviewCase }: { readonly reviewCase: ReviewCase }) {
  const t = useWords(words);
  const format = useFormat();
  const may = useMay();
  const { notes = [], documents = [], evidenceDigest, status } = reviewCase;
  const nameOfDocument = (id: string) => documents.find((document) => document.id === id)?.fileName ?? id;
  return (
    <Section title={t.title} id="notes">
      {notes.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <ul className="case-notes">
          {notes.map(({ id, text, createdAt, createdBy, documentIds }) => (
            <li key={id}>
              <span className="muted">
                {createdBy.display}, <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>
              </span>
              <p>{text}</p>
              {documentIds.length > 0 && (
                <p className="muted">{t.withDocuments(documentIds.map(nameOfDocument).join(', '))}</p>
              )}
            </li>
          ))}
        </ul>
      )}
      {may('createCaseNote') && evidenceDigest !== undefined && status !== 'resolved' && (
        <NewNote key={notes.length} reviewCase={reviewCase} />
      )}
    </Section>
  );
}

function NewNote({ reviewCase: { id, documents = [] } }: { readonly reviewCase: ReviewCase }) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const changed = useCaseChanged();
  const initial: { readonly text: string; readonly documentIds: readonly string[] } = { text: '', documentIds: [] };
  const form = useForm({
    initial,
    required: t.missing,
    submit: async ({ text, documentIds }) => {
      const body = { text: text.trim(), ...(documentIds.length > 0 && { documentIds: [...documentIds] }) };
      await answerOf(
        client.POST('/v1/cases/{caseId}/notes', {
          params: { path: { caseId: id }, header: { 'Idempotency-Key': keyFor({ id, body }) } },
          body,
        }),
      );
      await changed(id);
      announce(t.added);
    },
  });
  return (
    <Form form={form} action={t.add}>
      <TextArea field={form.field('text')} label={t.note} hint={t.hint} maxLength={10_000} />
      {documents.length > 0 && (
        <CheckboxGroup
          field={form.field('documentIds')}
          label={t.documents}
          options={documents.map((document) => ({ value: document.id, label: document.fileName ?? document.id }))}
        />
      )}
    </Form>
  );
}
