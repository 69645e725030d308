/** The dialog that uploads a process or a decision table. Opened by workflows-page.tsx. */
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { useWorkflowsChanged } from './workflow-words.ts';

const words = inLanguages({
  en: {
    title: 'Upload a process',
    about: 'It becomes a draft. The next page shows what was found about it.',
    file: 'File',
    hint: 'A process of BPMN 2.0 or a decision table of DMN, up to 512 KiB.',
    choose: 'Choose a file.',
    upload: 'Upload',
  },
  pt: {
    title: 'Enviar um processo',
    about: 'Ele vira um rascunho. A próxima página mostra o que foi encontrado nele.',
    file: 'Arquivo',
    hint: 'Um processo em BPMN 2.0 ou uma tabela de decisão em DMN, até 512 KiB.',
    choose: 'Escolha um arquivo.',
    upload: 'Enviar',
  },
});

export function Upload({ close }: { readonly close: () => void }) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const changed = useWorkflowsChanged();
  const navigate = useNavigate();
  const initial: { readonly file: File | null } = { file: null };
  const form = useForm({
    initial,
    required: { file: t.choose },
    submit: async ({ file }) => {
      if (file === null) return;
      const key = keyFor({ name: file.name, size: file.size, changed: file.lastModified });
      const parts = new FormData();
      parts.append('file', file, file.name);
      const { id } = await answerOf(
        client.POST('/v1/workflows/definitions', {
          params: { header: { 'Idempotency-Key': key } },
          body: { file },
          bodySerializer: () => parts,
        }),
      );
      await changed();
      close();
      await navigate({ to: '/workflows/definitions/$workflowDefinitionId', params: { workflowDefinitionId: id } });
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <p className="muted">{t.about}</p>
      <Form form={form} action={t.upload} cancel={close}>
        <FileField field={form.field('file')} label={t.file} hint={t.hint} accept=".bpmn,.dmn,.xml" />
      </Form>
    </Dialog>
  );
}
