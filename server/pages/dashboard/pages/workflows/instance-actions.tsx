/** What the user can do with an instance now: suspend it, let it go on, or cancel it. */
import { useState } from 'react';
import { client } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { announce } from '../../ui/toasts.tsx';
import { NoteDialog } from './note-dialog.tsx';
import { type Instance, useWorkflowsChanged } from './workflow-words.ts';

const words = inLanguages({
  en: {
    suspend: 'Suspend',
    suspendText: 'It rests as it is: no timer fires and no task can be completed until it is resumed.',
    suspended: 'The instance rests.',
    resume: 'Resume',
    resumeText: 'Timers that came due meanwhile fire now, in their order.',
    resumed: 'The instance goes on.',
    cancel: 'Cancel the instance',
    cancelText: 'It ends with everything that is under way in it. This cannot be undone.',
    cancelled: 'The instance is cancelled.',
  },
  pt: {
    suspend: 'Suspender',
    suspendText: 'Ela para como está: nenhum prazo corre e nenhuma tarefa pode ser concluída até ser retomada.',
    suspended: 'A instância está parada.',
    resume: 'Retomar',
    resumeText: 'Os prazos que venceram nesse tempo correm agora, na sua ordem.',
    resumed: 'A instância continua.',
    cancel: 'Cancelar a instância',
    cancelText: 'Ela termina com tudo o que está em andamento. Isto não pode ser desfeito.',
    cancelled: 'A instância foi cancelada.',
  },
});

export function InstanceActions({ instance: { id: workflowInstanceId, status } }: { readonly instance: Instance }) {
  const t = useWords(words);
  const may = useMay();
  const changed = useWorkflowsChanged();
  const [shown, setShown] = useState<'suspend' | 'resume' | 'cancel' | null>(null);
  const close = () => setShown(null);
  const path = { workflowInstanceId };
  const resume = async () => {
    await answerOf(client.POST('/v1/workflows/instances/{workflowInstanceId}/resume', { params: { path } }));
    await changed();
    announce(t.resumed);
  };
  const isRunning = status === 'active' || status === 'suspended';
  return (
    <>
      {status === 'active' && may('suspendWorkflowInstance') && (
        <Button onClick={() => setShown('suspend')}>{t.suspend}</Button>
      )}
      {status === 'suspended' && may('resumeWorkflowInstance') && (
        <Button look="primary" onClick={() => setShown('resume')}>
          {t.resume}
        </Button>
      )}
      {isRunning && may('cancelWorkflowInstance') && (
        <Button look="danger" onClick={() => setShown('cancel')}>
          {t.cancel}
        </Button>
      )}
      {shown === 'suspend' && (
        <NoteDialog
          title={t.suspend}
          about={t.suspendText}
          done={t.suspended}
          close={close}
          send={(note, idempotencyKey) =>
            answerOf(
              client.POST('/v1/workflows/instances/{workflowInstanceId}/suspend', {
                params: { path, header: { 'Idempotency-Key': idempotencyKey } },
                body: { note },
              }),
            )
          }
        />
      )}
      {shown === 'resume' && (
        <ConfirmDialog title={t.resume} action={t.resume} run={resume} onClose={close}>
          <p>{t.resumeText}</p>
        </ConfirmDialog>
      )}
      {shown === 'cancel' && (
        <NoteDialog
          title={t.cancel}
          about={t.cancelText}
          done={t.cancelled}
          danger
          close={close}
          send={(note, idempotencyKey) =>
            answerOf(
              client.POST('/v1/workflows/instances/{workflowInstanceId}/cancel', {
                params: { path, header: { 'Idempotency-Key': idempotencyKey } },
                body: { note },
              }),
            )
          }
        />
      )}
    </>
  );
}
