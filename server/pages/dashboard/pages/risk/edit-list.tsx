import { useNavigate } from '@tanstack/react-router';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, isProblem } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { LinesField } from '../../ui/lines-field.tsx';
import { announce } from '../../ui/toasts.tsx';
import { useRiskChanged } from './changed.ts';

const words = inLanguages({
  en: {
    title: 'Draft of the list',
    add: 'New list',
    key: 'Key',
    keyHint: 'By which models refer to the list: lower-case letters, digits and underscores.',
    label: 'Name',
    source: 'Source',
    sourceHint: 'Where the values come from, with the date of the publication.',
    values: 'Values',
    valuesHint: 'One a line, for example codes of countries.',
    save: 'Save the draft',
    saved: 'The draft is saved. The active version stays until the draft is activated.',
    missing: {
      id: 'Enter a key.',
      label: 'Enter a name.',
      source: 'Enter a source.',
      values: 'Enter the values.',
    },
  },
  pt: {
    title: 'Rascunho da lista',
    add: 'Nova lista',
    key: 'Chave',
    keyHint: 'Pela qual os modelos se referem à lista: letras minúsculas, dígitos e sublinhados.',
    label: 'Nome',
    source: 'Fonte',
    sourceHint: 'De onde vêm os valores, com a data da publicação.',
    values: 'Valores',
    valuesHint: 'Um por linha, por exemplo códigos de países.',
    save: 'Salvar o rascunho',
    saved: 'O rascunho foi salvo. A versão ativa continua até que o rascunho seja ativado.',
    missing: {
      id: 'Digite uma chave.',
      label: 'Digite um nome.',
      source: 'Digite uma fonte.',
      values: 'Digite os valores.',
    },
  },
});

interface Values {
  readonly id: string;
  readonly label: string;
  readonly source: string;
  readonly values: readonly string[];
}

/** Writes the draft of a list, beginning with its draft or its active version; without a list, that of a new one. */
export function EditList({
  list,
  close,
}: {
  readonly list: Schemas['ReferenceList'] | null;
  readonly close: () => void;
}) {
  const t = useWords(words);
  const navigate = useNavigate();
  const changed = useRiskChanged();
  const known = list?.draft ?? list?.active;
  const initial: Values = {
    id: list?.id ?? '',
    label: known?.label ?? '',
    source: known?.source ?? '',
    values: known?.values ?? [],
  };
  const form = useForm({
    initial,
    required: t.missing,
    handle: (error) =>
      isProblem(error) && error.errors?.some(({ parameter }) => parameter === 'listId') ? { id: [t.keyHint] } : null,
    submit: async ({ id, label, source, values }) => {
      const listId = id.trim();
      const body = { label: label.trim(), source: source.trim(), values: [...values] };
      await answerOf(client.PUT('/v1/risk/lists/{listId}', { params: { path: { listId } }, body }));
      await changed();
      announce(t.saved);
      close();
      if (list === null) await navigate({ to: '/risk/lists/$listId', params: { listId } });
    },
  });
  return (
    <Dialog title={list === null ? t.add : t.title} onClose={close} wide>
      <Form form={form} action={t.save} cancel={close}>
        {list === null && (
          <TextField
            field={form.field('id')}
            label={t.key}
            hint={t.keyHint}
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
          />
        )}
        <TextField field={form.field('label')} label={t.label} autoComplete="off" maxLength={80} />
        <TextField
          field={form.field('source')}
          label={t.source}
          hint={t.sourceHint}
          autoComplete="off"
          maxLength={300}
        />
        <LinesField field={form.field('values')} label={t.values} hint={t.valuesHint} rows={10} />
      </Form>
    </Dialog>
  );
}
