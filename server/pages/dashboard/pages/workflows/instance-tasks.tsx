/** The tasks of an instance: who may do them, and claiming and completing one. Shown by instance-page.tsx. */
import { useMemo, useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useCurrent, useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Problems } from '../../ui/problems.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { announce } from '../../ui/toasts.tsx';
import { type Instance, type Task, useWorkflowNames, useWorkflowsChanged } from './workflow-words.ts';

const words = inLanguages({
  en: {
    title: 'Tasks',
    none: 'It has no tasks.',
    task: 'Task',
    status: 'Status',
    due: 'Due',
    noDue: 'No date',
    actions: 'Actions',
    claim: 'Claim',
    release: 'Release',
    complete: 'Complete',
    claimed: 'The task is yours.',
    released: 'The task is open for others.',
    completed: 'The task is completed.',
    variables: 'Results',
    hint: 'One variable on each line, for example agreed = true.',
    wrong: 'A line is a name, an equals sign, and a text, a number, true or false.',
  },
  pt: {
    title: 'Tarefas',
    none: 'Ela não tem tarefas.',
    task: 'Tarefa',
    status: 'Situação',
    due: 'Prazo',
    noDue: 'Sem data',
    actions: 'Ações',
    claim: 'Assumir',
    release: 'Liberar',
    complete: 'Concluir',
    claimed: 'A tarefa é sua.',
    released: 'A tarefa está aberta a outros.',
    completed: 'A tarefa foi concluída.',
    variables: 'Resultados',
    hint: 'Uma variável por linha, por exemplo agreed = true.',
    wrong: 'Uma linha é um nome, um sinal de igual, e um texto, um número, true ou false.',
  },
});

export function InstanceTasks({ instance: { id: instanceId } }: { readonly instance: Instance }) {
  const t = useWords(words);
  const tasks = api.useQuery('get', '/v1/workflows/tasks', { params: { query: { instanceId, limit: 100 } } });
  return (
    <Section title={t.title}>
      <Loaded query={tasks}>
        {({ items }) => (items.length === 0 ? <p className="muted">{t.none}</p> : <TaskTable rows={items} />)}
      </Loaded>
    </Section>
  );
}

function TaskTable({ rows }: { readonly rows: readonly Task[] }) {
  const t = useWords(words);
  const names = useWorkflowNames();
  const format = useRecordFormat();
  const columns = useMemo(() => {
    const column = columnsOf<Task>();
    return [
      column.display({
        id: 'task',
        header: t.task,
        cell: ({ row: { original } }) => original.name ?? original.elementId,
      }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({ row: { original } }) => names.taskStatuses[original.status],
      }),
      column.display({
        id: 'due',
        header: t.due,
        cell: ({ row: { original } }) =>
          original.dueAt === null ? t.noDue : <time dateTime={original.dueAt}>{format.dateTime(original.dueAt)}</time>,
      }),
      column.display({
        id: 'actions',
        header: t.actions,
        cell: ({ row: { original } }) => <TaskActions task={original} />,
      }),
    ];
  }, [t, names, format]);
  return <DataTable caption={t.title} rows={rows} columns={columns} rowId={({ id }) => id} />;
}

function TaskActions({ task }: { readonly task: Task }) {
  const t = useWords(words);
  const may = useMay();
  const { user } = useCurrent();
  const changed = useWorkflowsChanged();
  const [completing, setCompleting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { id: workflowTaskId, status, assigneeId, candidateRoles } = task;
  const isOpen = status === 'created' || status === 'claimed';
  const isMine = candidateRoles.length === 0 || candidateRoles.includes(user.role);
  if (!isOpen || !isMine || !may('completeWorkflowTask')) return <>–</>;
  const isOwn = assigneeId === user.id;
  const assign = async (to: string | null) => {
    setError(null);
    try {
      await answerOf(
        client.PATCH('/v1/workflows/tasks/{workflowTaskId}', {
          params: { path: { workflowTaskId }, header: { 'If-Match': `"${task.version}"` } },
          headers: { 'Content-Type': 'application/merge-patch+json' },
          body: { assigneeId: to },
        }),
      );
      announce(to === null ? t.released : t.claimed);
    } catch (refusal) {
      setError(refusal);
    }
    await changed();
  };
  return (
    <span className="row">
      {error !== null && <Problems error={error} />}
      {assigneeId === null && (
        <Button small onClick={() => void assign(user.id)}>
          {t.claim}
        </Button>
      )}
      {isOwn && (
        <Button small onClick={() => void assign(null)}>
          {t.release}
        </Button>
      )}
      {(assigneeId === null || isOwn) && (
        <Button small look="primary" onClick={() => setCompleting(true)}>
          {t.complete}
        </Button>
      )}
      {completing && <CompleteTask task={task} close={() => setCompleting(false)} />}
    </span>
  );
}

type Values = Schemas['WorkflowVariablesInput'];

/** Reads the lines of a form as variables. Returns null if a line is none. */
function variablesIn(text: string): Values | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.flatMap((line) => {
    const [, name, value] = /^\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, valueOf(value)] as const];
  });
  return read.length < lines.length ? null : Object.fromEntries(read);
}

function valueOf(text: string): string | number | boolean | null {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(text) ? Number(text) : text;
}

function CompleteTask({ task, close }: { readonly task: Task; readonly close: () => void }) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const changed = useWorkflowsChanged();
  const form = useForm({
    initial: { variables: '' },
    check: ({ variables }) =>
      variablesIn(variables) === null ? [{ pointer: '/variables', code: 'format', message: t.wrong }] : [],
    messages: { format: t.wrong },
    submit: async ({ variables }) => {
      const body = { variables: variablesIn(variables) ?? {} };
      const params = {
        path: { workflowTaskId: task.id },
        header: { 'Idempotency-Key': keyFor({ id: task.id, body }) },
      };
      await answerOf(client.POST('/v1/workflows/tasks/{workflowTaskId}/complete', { params, body }));
      await changed();
      announce(t.completed);
      close();
    },
  });
  return (
    <Dialog title={task.name ?? task.elementId} onClose={close}>
      <Form form={form} action={t.complete} cancel={close}>
        <TextArea field={form.field('variables')} label={t.variables} hint={t.hint} optional maxLength={5000} />
      </Form>
    </Dialog>
  );
}
