/** The dialog that says who is right about a difference from the registry. Opened by registry.tsx. */
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useBusinessChanged } from '../applications/changed.ts';
import { keysOf, nameOf } from '../applications/words.ts';
import { useRegistryNames } from './registry-words.ts';

type Resolution = Schemas['RegistryDifferenceResolve']['resolution'];

const words = inLanguages({
  en: {
    title: 'Resolve the difference',
    declared: (text: string) => `Declared: ${text}`,
    registered: (text: string) => `Registered: ${text}`,
    nothing: 'nothing',
    resolution: 'Who is right',
    note: 'Note',
    hint: 'What shows it: at least ten characters.',
    resolve: 'Resolve',
    done: 'The difference is resolved.',
    missing: { resolution: 'Choose who is right.', note: 'Write what shows it.' },
  },
  pt: {
    title: 'Resolver a divergência',
    declared: (text: string) => `Declarado: ${text}`,
    registered: (text: string) => `Registrado: ${text}`,
    nothing: 'nada',
    resolution: 'Quem está certo',
    note: 'Observação',
    hint: 'O que o comprova: ao menos dez caracteres.',
    resolve: 'Resolver',
    done: 'A divergência foi resolvida.',
    missing: { resolution: 'Escolha quem está certo.', note: 'Escreva o que o comprova.' },
  },
});

interface Props {
  readonly businessId: string;
  readonly difference: Schemas['RegistryDifference'];
  readonly close: () => void;
}

export function ResolveDifference({ businessId, difference: { id, field, declared, registered }, close }: Props) {
  const t = useWords(words);
  const names = useRegistryNames();
  const keyFor = useIdempotencyKey();
  const changed = useBusinessChanged();
  const initial: { readonly resolution: Resolution | ''; readonly note: string } = { resolution: '', note: '' };
  const form = useForm({
    initial,
    required: t.missing,
    submit: async ({ resolution, note }) => {
      if (resolution === '') return;
      const body = { resolution, note: note.trim() };
      const params = { path: { businessId, differenceId: id }, header: { 'Idempotency-Key': keyFor({ id, body }) } };
      await answerOf(client.POST('/v1/businesses/{businessId}/differences/{differenceId}/resolve', { params, body }));
      await changed();
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={`${t.title}: ${nameOf(names.fields, field)}`} onClose={close}>
      <p>{t.declared(declared ?? t.nothing)}</p>
      <p>{t.registered(registered ?? t.nothing)}</p>
      <Form form={form} action={t.resolve} cancel={close}>
        <RadioGroup
          field={form.field('resolution')}
          label={t.resolution}
          options={keysOf(names.resolutions).map((value) => ({ value, label: names.resolutions[value] }))}
        />
        <TextArea field={form.field('note')} label={t.note} hint={t.hint} maxLength={4000} />
      </Form>
    </Dialog>
  );
}
