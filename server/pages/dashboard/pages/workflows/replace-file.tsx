/** The dialog that replaces the file of a draft. Opened from the page of the draft. */
import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { announce } from '../../ui/toasts.tsx';
import { type Definition, useWorkflowsChanged } from './workflow-words.ts';

const words = inLanguages({
  en: {
    title: 'Replace the file',
    about: (key: string) =>
      `The id in the file has to be ${key}, as before. The page then shows what was found about it.`,
    file: 'File',
    hint: 'Up to 512 KiB.',
    choose: 'Choose a file.',
    replace: 'Replace',
    done: 'The file is replaced.',
  },
  pt: {
    title: 'Substituir o arquivo',
    about: (key: string) =>
      `O id no arquivo precisa ser ${key}, como antes. A página mostra então o que foi encontrado.`,
    file: 'Arquivo',
    hint: 'Até 512 KiB.',
    choose: 'Escolha um arquivo.',
    replace: 'Substituir',
    done: 'O arquivo foi substituído.',
  },
});

interface Props {
  readonly definition: Definition;
  readonly close: () => void;
}

export function ReplaceFile({ definition: { id, key, kind, version }, close }: Props) {
  const t = useWords(words);
  const changed = useWorkflowsChanged();
  const initial: { readonly file: File | null } = { file: null };
  const form = useForm({
    initial,
    required: { file: t.choose },
    submit: async ({ file }) => {
      if (file === null) return;
      const parts = new FormData();
      parts.append('file', file, file.name);
      const params = { path: { workflowDefinitionId: id }, header: { 'If-Match': `"${version}"` } };
      await answerOf(
        client.PATCH('/v1/workflows/definitions/{workflowDefinitionId}', {
          params,
          body: { file },
          bodySerializer: () => parts,
        }),
      );
      await changed();
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <p className="muted">{t.about(key)}</p>
      <Form form={form} action={t.replace} cancel={close}>
        <FileField
          field={form.field('file')}
          label={t.file}
          hint={t.hint}
          accept={kind === 'workflow' ? '.bpmn,.xml' : '.dmn,.xml'}
        />
      </Form>
    </Dialog>
  );
}
