import { api, client } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { announce } from '../../ui/toasts.tsx';
import type { ReviewCase } from './case-words.ts';
import { matching, useCaseChanged } from './changed.ts';

const words = inLanguages({
  en: {
    title: 'Change the case',
    queue: 'Queue',
    queueHint: 'The due time follows from the hours of the queue, counted from the opening of the case.',
    assignee: 'Assigned to',
    nobody: 'Nobody',
    snooze: 'On hold until',
    snoozeHint: 'At most until the first deadline set by law. The clock of the queue goes on.',
    tags: 'Tags',
    tagsHint: 'Words without names of people, separated by spaces.',
    save: 'Save',
    saved: 'The case is changed.',
    nothing: 'Nothing is different.',
  },
  pt: {
    title: 'Alterar o caso',
    queue: 'Fila',
    queueHint: 'O prazo resulta das horas da fila, contadas da abertura do caso.',
    assignee: 'Atribuído a',
    nobody: 'Ninguém',
    snooze: 'Em espera até',
    snoozeHint: 'No máximo até o primeiro prazo legal. O relógio da fila continua.',
    tags: 'Etiquetas',
    tagsHint: 'Palavras sem nomes de pessoas, separadas por espaços.',
    save: 'Salvar',
    saved: 'O caso foi alterado.',
    nothing: 'Nada está diferente.',
  },
});

/** Changes the queue, the assignee, the snooze and the tags of a case, with the version that was shown. */
export function ChangeCase({ reviewCase, close }: { readonly reviewCase: ReviewCase; readonly close: () => void }) {
  const t = useWords(words);
  const may = useMay();
  const changed = useCaseChanged();
  const settings = api.useQuery('get', '/v1/settings', { params: { query: { section: 'queues' } } });
  const members = api.useQuery(
    'get',
    '/v1/users',
    { params: { query: { limit: 100 } } },
    {
      enabled: may('listUsers'),
    },
  );
  const { id, queue, tags, assigneeId } = reviewCase;
  const form = useForm({
    initial: {
      queue,
      assigneeId: assigneeId ?? '',
      snoozedUntil: '',
      tags: tags.join(' '),
    },
    submit: async (values) => {
      const wanted = values.tags.split(/[\s,]+/).filter((tag) => tag !== '');
      const body = {
        ...(values.queue !== queue && { queue: values.queue }),
        ...(values.assigneeId !== (assigneeId ?? '') && { assigneeId: values.assigneeId || null }),
        ...(values.snoozedUntil !== '' && { snoozedUntil: new Date(values.snoozedUntil).toISOString() }),
        ...(wanted.join(' ') !== tags.join(' ') && { tags: wanted }),
      };
      if (Object.keys(body).length === 0) announce(t.nothing);
      else {
        const params = { path: { caseId: id }, header: matching(reviewCase) };
        await answerOf(client.PATCH('/v1/cases/{caseId}', { params, body }));
        await changed(id);
        announce(t.saved);
      }
      close();
    },
  });
  const queues = settings.data?.queues ?? [];
  const people = (members.data?.items ?? []).filter(
    ({ role, status }) => status === 'active' && (role === 'analyst' || role === 'compliance_officer'),
  );
  return (
    <Dialog title={t.title} onClose={close}>
      <Form form={form} action={t.save} cancel={close}>
        <SelectField
          field={form.field('queue')}
          label={t.queue}
          hint={t.queueHint}
          options={
            queues.some(({ key }) => key === queue)
              ? queues.map(({ key, name }) => [key, name] as const)
              : [[queue, queue], ...queues.map(({ key, name }) => [key, name] as const)]
          }
        />
        {people.length > 0 && (
          <SelectField
            field={form.field('assigneeId')}
            label={t.assignee}
            options={[['', t.nobody], ...people.map((person) => [person.id, person.name] as const)]}
          />
        )}
        <TextField
          field={form.field('snoozedUntil')}
          type="datetime-local"
          label={t.snooze}
          hint={t.snoozeHint}
          optional
        />
        <TextField field={form.field('tags')} label={t.tags} hint={t.tagsHint} optional maxLength={820} />
      </Form>
    </Dialog>
  );
}
