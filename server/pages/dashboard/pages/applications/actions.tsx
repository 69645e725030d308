/**
 * The buttons of an application: submit, withdraw, renew, ask, end, erase, evidence pack. Part of application-page.tsx.
 * What to offer is guessed from role and status; the service decides and its refusal is shown.
 */
import { useState } from 'react';
import { client } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { goTo } from '../../ui/go-to.ts';
import { saveFile } from '../../ui/save-file.ts';
import { announce } from '../../ui/toasts.tsx';
import type { Schemas } from '../../core/api.ts';
import { matching, useChanged } from './changed.ts';
import { EndRelationship } from './ending/end-relationship.tsx';
import { Erase } from './ending/erase.tsx';
import { AskForInformation } from './information/ask-for-information.tsx';
import { Renew } from './renew.tsx';
import { type Application, optionsOf, type Status } from './words.ts';

type Reason = Schemas['WithdrawRequest']['reasonCode'];

const words = inLanguages({
  en: {
    ask: 'Ask for information',
    end: 'End the relationship',
    renew: 'Renew',
    erase: 'Erase',
    pack: 'Evidence pack',
    packTitle: 'Download the evidence pack?',
    packText:
      'Everything that is held about the application, in one signed archive that anybody can verify. It holds ' +
      'personal data, and the audit log tells who downloaded it.',
    download: 'Download',
    submit: 'Submit',
    submitTitle: 'Submit the application?',
    submitText: 'The review begins. The data cannot be changed after that; documents can still be added.',
    submitted: 'The application is submitted.',
    withdraw: 'Withdraw',
    withdrawTitle: 'Withdraw the application',
    withdrawText: 'It ends here and cannot be opened again. A new one can be created.',
    withdrawn: 'The application is withdrawn.',
    reason: 'Why',
    note: 'Note',
    noteHint: 'For your own records.',
    reasons: {
      applicant_request: 'The applicant asked for it',
      duplicate: 'It is a duplicate',
      created_in_error: 'It was created in error',
      other: 'Another reason',
    } satisfies Record<Reason, string>,
  },
  pt: {
    ask: 'Pedir informações',
    end: 'Encerrar o relacionamento',
    renew: 'Renovar',
    erase: 'Apagar',
    pack: 'Pacote de evidências',
    packTitle: 'Baixar o pacote de evidências?',
    packText:
      'Tudo o que se guarda sobre a solicitação, em um arquivo assinado que qualquer pessoa pode verificar. Ele ' +
      'contém dados pessoais, e a trilha de auditoria diz quem o baixou.',
    download: 'Baixar',
    submit: 'Enviar',
    submitTitle: 'Enviar a solicitação?',
    submitText: 'A análise começa. Depois disso os dados não mudam mais; documentos ainda podem ser acrescentados.',
    submitted: 'A solicitação foi enviada.',
    withdraw: 'Retirar',
    withdrawTitle: 'Retirar a solicitação',
    withdrawText: 'Ela termina aqui e não pode ser reaberta. Uma nova pode ser criada.',
    withdrawn: 'A solicitação foi retirada.',
    reason: 'Motivo',
    note: 'Observação',
    noteHint: 'Para os seus próprios registros.',
    reasons: {
      applicant_request: 'A pessoa pediu',
      duplicate: 'É duplicada',
      created_in_error: 'Foi criada por engano',
      other: 'Outro motivo',
    } satisfies Record<Reason, string>,
  },
});

const SUBMITTABLE: readonly Status[] = ['draft', 'needs_information'];
const WITHDRAWABLE: readonly Status[] = ['draft', 'submitted', 'in_review', 'needs_information', 'pending_approval'];
const ERASABLE: readonly Status[] = ['draft', 'approved', 'rejected', 'withdrawn', 'expired'];
/** Statuses of approved applications, which can be renewed until they are decided again. */
const RENEWABLE: readonly Status[] = ['approved', 'expired'];

/** Shows the actions that are available for the application in its status to this role. */
export function Actions({ application }: { readonly application: Application }) {
  const t = useWords(words);
  const may = useMay();
  const [open, setOpen] = useState<'ask' | 'end' | 'erase' | 'pack' | 'renew' | 'submit' | 'withdraw' | null>(null);
  const { status, requirements, validUntil, relationshipEndedAt, personalDataMasked } = application;
  const submit = () => {
    if (requirements.met) return setOpen('submit');
    // The service would refuse with the same reason, so the user is sent to the missing requirements.
    goTo('requirements');
  };
  return (
    <>
      {may('withdrawApplication') && WITHDRAWABLE.includes(status) && (
        <Button look="quiet-danger" onClick={() => setOpen('withdraw')}>
          {t.withdraw}
        </Button>
      )}
      {may('eraseApplication') && ERASABLE.includes(status) && (
        <Button look="quiet-danger" onClick={() => setOpen('erase')}>
          {t.erase}
        </Button>
      )}
      {may('downloadEvidencePack') && !personalDataMasked && <Button onClick={() => setOpen('pack')}>{t.pack}</Button>}
      {may('endRelationship') && validUntil !== null && relationshipEndedAt === null && (
        <Button onClick={() => setOpen('end')}>{t.end}</Button>
      )}
      {may('createApplication') && !personalDataMasked && validUntil !== null && RENEWABLE.includes(status) && (
        <Button onClick={() => setOpen('renew')}>{t.renew}</Button>
      )}
      {may('createInformationRequest') && status === 'in_review' && !personalDataMasked && (
        <Button onClick={() => setOpen('ask')}>{t.ask}</Button>
      )}
      {may('submitApplication') && SUBMITTABLE.includes(status) && (
        <Button look={requirements.met ? 'primary' : 'plain'} onClick={submit}>
          {t.submit}
        </Button>
      )}
      {open === 'ask' && <AskForInformation application={application} close={() => setOpen(null)} />}
      {open === 'end' && <EndRelationship application={application} close={() => setOpen(null)} />}
      {open === 'erase' && <Erase application={application} close={() => setOpen(null)} />}
      {open === 'pack' && <PackDialog application={application} close={() => setOpen(null)} />}
      {open === 'renew' && <Renew application={application} close={() => setOpen(null)} />}
      {open === 'submit' && <SubmitDialog application={application} close={() => setOpen(null)} />}
      {open === 'withdraw' && <WithdrawDialog application={application} close={() => setOpen(null)} />}
    </>
  );
}

interface DialogProps {
  readonly application: Application;
  readonly close: () => void;
}

function PackDialog({ application: { id }, close }: DialogProps) {
  const t = useWords(words);
  const download = async () => {
    saveFile(
      `evidence-pack-${id}.zip`,
      await answerOf(
        client.GET('/v1/applications/{applicationId}/evidence-pack', {
          params: { path: { applicationId: id } },
          parseAs: 'blob',
        }),
      ),
    );
  };
  return (
    <ConfirmDialog title={t.packTitle} action={t.download} run={download} onClose={close}>
      <p>{t.packText}</p>
    </ConfirmDialog>
  );
}

function SubmitDialog({ application, close }: DialogProps) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const changed = useChanged();
  const { id, version } = application;
  const submit = async () => {
    const header = { ...matching(application), 'Idempotency-Key': keyFor({ id, version }) };
    changed(
      await answerOf(
        client.POST('/v1/applications/{applicationId}/submit', { params: { path: { applicationId: id }, header } }),
      ),
    );
    announce(t.submitted);
  };
  return (
    <ConfirmDialog title={t.submitTitle} action={t.submit} run={submit} onClose={close}>
      <p>{t.submitText}</p>
    </ConfirmDialog>
  );
}

function WithdrawDialog({ application, close }: DialogProps) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const changed = useChanged();
  const { id, version } = application;
  const initial: { readonly reasonCode: Reason; readonly note: string } = { reasonCode: 'applicant_request', note: '' };
  const form = useForm({
    initial,
    submit: async ({ reasonCode, note }) => {
      const body = { reasonCode, ...(note.trim() !== '' && { note: note.trim() }) };
      const header = { ...matching(application), 'Idempotency-Key': keyFor({ id, version, body }) };
      changed(
        await answerOf(
          client.POST('/v1/applications/{applicationId}/withdraw', {
            params: { path: { applicationId: id }, header },
            body,
          }),
        ),
      );
      announce(t.withdrawn);
      close();
    },
  });
  return (
    <Dialog title={t.withdrawTitle} onClose={close}>
      <p className="muted">{t.withdrawText}</p>
      <Form form={form} action={t.withdraw} danger cancel={close}>
        <SelectField field={form.field('reasonCode')} label={t.reason} options={optionsOf(t.reasons)} />
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} optional maxLength={2000} />
      </Form>
    </Dialog>
  );
}
