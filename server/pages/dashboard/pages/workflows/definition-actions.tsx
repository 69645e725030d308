/**
 * What the user can do with a version of a process now: save or replace its file, ask for activation, review, retire.
 */
import { useState } from 'react';
import { client } from '../../core/api.ts';
import { useCurrent, useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Problems } from '../../ui/problems.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { announce } from '../../ui/toasts.tsx';
import { NoteDialog } from './note-dialog.tsx';
import { ReplaceFile } from './replace-file.tsx';
import { type Definition, useWorkflowsChanged } from './workflow-words.ts';

const words = inLanguages({
  en: {
    save: 'Save the file',
    replace: 'Replace the file',
    activate: 'Request activation',
    activateText: 'A second person confirms or returns it, after reading the same file.',
    requested: 'The activation waits for a second person.',
    confirm: 'Confirm the activation',
    confirmText: 'New instances then start by this version. Those under way keep theirs.',
    confirmed: 'The version is active.',
    giveBack: 'Return it',
    giveBackText: 'It becomes a draft again.',
    returned: 'It is a draft again.',
    retire: 'Retire',
    retireText: 'No instance starts by this version any more. Those under way go on.',
    retired: 'The version is retired.',
  },
  pt: {
    save: 'Salvar o arquivo',
    replace: 'Substituir o arquivo',
    activate: 'Pedir a ativação',
    activateText: 'Outra pessoa confirma ou devolve, depois de ler o mesmo arquivo.',
    requested: 'A ativação aguarda outra pessoa.',
    confirm: 'Confirmar a ativação',
    confirmText: 'Novas instâncias passam a começar por esta versão. As que estão em andamento ficam na sua.',
    confirmed: 'A versão está em vigor.',
    giveBack: 'Devolver',
    giveBackText: 'Volta a ser um rascunho.',
    returned: 'É um rascunho de novo.',
    retire: 'Retirar',
    retireText: 'Nenhuma instância começa mais por esta versão. As que estão em andamento continuam.',
    retired: 'A versão foi retirada.',
  },
});

type Shown = 'replace' | 'activate' | 'confirm' | 'return' | 'retire' | null;

export function DefinitionActions({ definition }: { readonly definition: Definition }) {
  const t = useWords(words);
  const may = useMay();
  const { user } = useCurrent();
  const changed = useWorkflowsChanged();
  const [shown, setShown] = useState<Shown>(null);
  const [error, setError] = useState<unknown>(null);
  const { id: workflowDefinitionId, key, number, kind, status, checksum, findings, activation } = definition;
  const path = { workflowDefinitionId };
  const hasErrors = findings.some(({ severity }) => severity === 'error');
  const isReviewable =
    activation?.status === 'pending' &&
    activation.requestedBy.id !== user.id &&
    may('reviewWorkflowDefinitionActivation');
  const close = () => setShown(null);
  const save = async () => {
    setError(null);
    try {
      const params = { path };
      const file = await answerOf(
        client.GET('/v1/workflows/definitions/{workflowDefinitionId}/xml', { params, parseAs: 'blob' }),
      );
      saveFile(`${key}-${number}.${kind === 'workflow' ? 'bpmn' : 'dmn'}`, file);
    } catch (refusal) {
      setError(refusal);
    }
  };
  const review = (verdict: 'confirm' | 'return') => (note: string, idempotencyKey: string) =>
    answerOf(
      client.POST('/v1/workflows/definitions/{workflowDefinitionId}/activations/{activationId}/review', {
        params: {
          path: { workflowDefinitionId, activationId: activation?.id ?? '' },
          header: { 'Idempotency-Key': idempotencyKey },
        },
        body: { verdict, note, evidenceDigest: activation?.evidenceDigest ?? '' },
      }),
    );
  const retire = async () => {
    await answerOf(client.POST('/v1/workflows/definitions/{workflowDefinitionId}/retire', { params: { path } }));
    await changed();
    announce(t.retired);
  };
  return (
    <>
      {error !== null && <Problems error={error} />}
      <Button onClick={() => void save()}>{t.save}</Button>
      {status === 'active' && may('retireWorkflowDefinition') && (
        <Button onClick={() => setShown('retire')}>{t.retire}</Button>
      )}
      {status === 'draft' && may('updateWorkflowDefinition') && (
        <Button onClick={() => setShown('replace')}>{t.replace}</Button>
      )}
      {status === 'draft' && !hasErrors && may('activateWorkflowDefinition') && (
        <Button look="primary" onClick={() => setShown('activate')}>
          {t.activate}
        </Button>
      )}
      {isReviewable && (
        <>
          <Button onClick={() => setShown('return')}>{t.giveBack}</Button>
          <Button look="primary" onClick={() => setShown('confirm')}>
            {t.confirm}
          </Button>
        </>
      )}
      {shown === 'replace' && <ReplaceFile definition={definition} close={close} />}
      {shown === 'activate' && (
        <NoteDialog
          title={t.activate}
          about={t.activateText}
          done={t.requested}
          close={close}
          send={(note, idempotencyKey) =>
            answerOf(
              client.POST('/v1/workflows/definitions/{workflowDefinitionId}/activate', {
                params: { path, header: { 'Idempotency-Key': idempotencyKey } },
                body: { checksum, note },
              }),
            )
          }
        />
      )}
      {shown === 'confirm' && (
        <NoteDialog title={t.confirm} about={t.confirmText} done={t.confirmed} close={close} send={review('confirm')} />
      )}
      {shown === 'return' && (
        <NoteDialog title={t.giveBack} about={t.giveBackText} done={t.returned} close={close} send={review('return')} />
      )}
      {shown === 'retire' && (
        <ConfirmDialog title={t.retire} action={t.retire} danger run={retire} onClose={close}>
          <p>{t.retireText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
