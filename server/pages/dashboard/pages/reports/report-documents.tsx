/** The documents of a report, which are sent with it. Used by report-page.tsx. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { isOpen, type Report, reportQuery } from './report-words.ts';

const words = inLanguages({
  en: {
    title: 'Documents',
    none: 'No document has been added to the report.',
    add: 'Add a document',
    file: 'File',
    kinds: 'JPEG, PNG, WebP or PDF, up to 15 MB. At most ten documents.',
    choose: 'Choose a file.',
    upload: 'Upload',
    added: 'The document is added.',
  },
  pt: {
    title: 'Documentos',
    none: 'Nenhum documento foi acrescentado à comunicação.',
    add: 'Acrescentar um documento',
    file: 'Arquivo',
    kinds: 'JPEG, PNG, WebP ou PDF, até 15 MB. No máximo dez documentos.',
    choose: 'Escolha um arquivo.',
    upload: 'Enviar',
    added: 'O documento foi acrescentado.',
  },
});

export function ReportDocuments({ report }: { readonly report: Report }) {
  const t = useWords(words);
  const format = useRecordFormat(report.environment);
  const [adding, setAdding] = useState(false);
  const { documents = [] } = report;
  const add = isOpen(report) && !adding && (
    <Button small onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  );
  return (
    <Section title={t.title} actions={add}>
      {adding && <NewDocument reportId={report.id} close={() => setAdding(false)} />}
      {documents.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <ul>
          {documents.map(({ id, fileName, createdAt, sizeBytes }) => (
            <li key={id}>
              {fileName}{' '}
              <span className="muted">
                {format.number(Math.ceil(sizeBytes / 1024))} KiB · {format.dateTime(createdAt)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function NewDocument({ reportId, close }: { readonly reportId: string; readonly close: () => void }) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const queries = useQueryClient();
  const initial: { readonly file: File | null } = { file: null };
  const form = useForm({
    initial,
    required: { file: t.choose },
    submit: async ({ file }) => {
      if (file === null) return;
      const key = keyFor({
        reportId,
        name: file.name,
        size: file.size,
        changed: file.lastModified,
      });
      const parts = new FormData();
      parts.append('file', file, file.name);
      await answerOf(
        client.POST('/v1/cases/reports/{reportId}/documents', {
          params: { path: { reportId }, header: { 'Idempotency-Key': key } },
          body: { file },
          bodySerializer: () => parts,
        }),
      );
      await queries.fetchQuery({ ...reportQuery(reportId), staleTime: 0 });
      announce(t.added);
      close();
    },
  });
  return (
    <Form form={form} action={t.upload} cancel={close}>
      <FileField
        field={form.field('file')}
        label={t.file}
        hint={t.kinds}
        accept="image/jpeg,image/png,image/webp,application/pdf"
      />
    </Form>
  );
}
