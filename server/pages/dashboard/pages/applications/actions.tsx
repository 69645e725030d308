/**
 * The buttons of an application or a company: submit, withdraw, renew, ask, end, erase, evidence pack. Part of the
 * pages of both. What to offer is guessed from role and status; the service decides and its refusal is shown.
 */
import { useState } from 'react';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { isProblem } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { goTo } from '../../ui/go-to.ts';
import { saveFile } from '../../ui/save-file.ts';
import { announce } from '../../ui/toasts.tsx';
import type { Schemas } from '../../core/api.ts';
import { useReadAgain } from './changed.ts';
import { EndRelationship } from './ending/end-relationship.tsx';
import { Erase } from './ending/erase.tsx';
import { AskForInformation, askable } from './information/ask-for-information.tsx';
import { Renew } from './renew.tsx';
import { callsOf } from './subject-calls.ts';
import { type Subject, useMayWith } from './subject.ts';
import { optionsOf, type Status } from './words.ts';

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
      'Everything that is held, in one signed archive that anybody can verify. It holds ' +
      'personal data, and the audit log tells who downloaded it.',
    download: 'Download',
    submit: 'Submit',
    submitTitle: { application: 'Submit the application?', business: 'Submit the company?' },
    submitText: {
      application: 'The review begins. The data cannot be changed after that; documents can still be added.',
      business: 'The review begins. Documents, owners and powers can still be added.',
    },
    submitted: { application: 'The application is submitted.', business: 'The company is submitted.' },
    withdraw: 'Withdraw',
    withdrawTitle: { application: 'Withdraw the application', business: 'Withdraw the company' },
    withdrawText: 'It ends here and cannot be opened again. A new one can be created.',
    withdrawn: { application: 'The application is withdrawn.', business: 'The company is withdrawn.' },
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
      'Tudo o que se guarda, em um arquivo assinado que qualquer pessoa pode verificar. Ele ' +
      'contém dados pessoais, e a trilha de auditoria diz quem o baixou.',
    download: 'Baixar',
    submit: 'Enviar',
    submitTitle: { application: 'Enviar a solicitação?', business: 'Enviar a empresa?' },
    submitText: {
      application: 'A análise começa. Depois disso os dados não mudam mais; documentos ainda podem ser acrescentados.',
      business: 'A análise começa. Documentos, proprietários e poderes ainda podem ser acrescentados.',
    },
    submitted: { application: 'A solicitação foi enviada.', business: 'A empresa foi enviada.' },
    withdraw: 'Retirar',
    withdrawTitle: { application: 'Retirar a solicitação', business: 'Retirar a empresa' },
    withdrawText: 'Ela termina aqui e não pode ser reaberta. Uma nova pode ser criada.',
    withdrawn: { application: 'A solicitação foi retirada.', business: 'A empresa foi retirada.' },
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

/** Shows the actions that are available in the status of the record to this role. */
export function Actions({ subject }: { readonly subject: Subject }) {
  const t = useWords(words);
  const may = useMayWith(subject);
  const mayRenew = useMay()('createApplication') && subject.kind === 'application';
  const [open, setOpen] = useState<'ask' | 'end' | 'erase' | 'pack' | 'renew' | 'submit' | 'withdraw' | null>(null);
  const { status, requirements, validUntil, relationshipEndedAt, personalDataMasked } = subject;
  const submit = () => {
    if (requirements.met) return setOpen('submit');
    // The service would refuse with the same reason, so the user is sent to the missing requirements.
    goTo('requirements');
  };
  return (
    <>
      {may('withdraw') && WITHDRAWABLE.includes(status) && (
        <Button look="quiet-danger" onClick={() => setOpen('withdraw')}>
          {t.withdraw}
        </Button>
      )}
      {may('erase') && ERASABLE.includes(status) && (
        <Button look="quiet-danger" onClick={() => setOpen('erase')}>
          {t.erase}
        </Button>
      )}
      {may('pack') && !personalDataMasked && <Button onClick={() => setOpen('pack')}>{t.pack}</Button>}
      {may('end') && validUntil !== null && relationshipEndedAt === null && (
        <Button onClick={() => setOpen('end')}>{t.end}</Button>
      )}
      {mayRenew && !personalDataMasked && validUntil !== null && RENEWABLE.includes(status) && (
        <Button onClick={() => setOpen('renew')}>{t.renew}</Button>
      )}
      {may('ask') && status === 'in_review' && !personalDataMasked && askable(requirements).length > 0 && (
        <Button onClick={() => setOpen('ask')}>{t.ask}</Button>
      )}
      {may('submit') && SUBMITTABLE.includes(status) && (
        <Button look={requirements.met ? 'primary' : 'plain'} onClick={submit}>
          {t.submit}
        </Button>
      )}
      {open === 'ask' && <AskForInformation subject={subject} close={() => setOpen(null)} />}
      {open === 'end' && <EndRelationship subject={subject} close={() => setOpen(null)} />}
      {open === 'erase' && <Erase subject={subject} close={() => setOpen(null)} />}
      {open === 'pack' && <PackDialog subject={subject} close={() => setOpen(null)} />}
      {open === 'renew' && <Renew subject={subject} close={() => setOpen(null)} />}
      {open === 'submit' && <SubmitDialog subject={subject} close={() => setOpen(null)} />}
      {open === 'withdraw' && <WithdrawDialog subject={subject} close={() => setOpen(null)} />}
    </>
  );
}

interface DialogProps {
  readonly subject: Subject;
  readonly close: () => void;
}

/** Attempts to download a pack, between which the log may be signed. */
const MOST_ATTEMPTS = 3;

/**
 * Downloads the evidence pack. It needs a signature of the log over what has just happened, and the log is signed every
 * ten seconds at most, so a refusal for that reason is waited for.
 */
async function packOf(subject: Subject): Promise<Blob> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await callsOf(subject).pack();
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isProblem(error) || error.code !== 'not_checkpointed_yet') throw error;
      const seconds = error.retryAfter ?? 10;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }
}

function PackDialog({ subject, close }: DialogProps) {
  const t = useWords(words);
  const download = async () => {
    saveFile(`evidence-pack-${subject.id}.zip`, await packOf(subject));
  };
  return (
    <ConfirmDialog title={t.packTitle} action={t.download} run={download} onClose={close}>
      <p>{t.packText}</p>
    </ConfirmDialog>
  );
}

function SubmitDialog({ subject, close }: DialogProps) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const readAgain = useReadAgain(subject);
  const { id, version, kind } = subject;
  const submit = async () => {
    await callsOf(subject).submit(keyFor({ id, version }));
    await readAgain();
    announce(t.submitted[kind]);
  };
  return (
    <ConfirmDialog title={t.submitTitle[kind]} action={t.submit} run={submit} onClose={close}>
      <p>{t.submitText[kind]}</p>
    </ConfirmDialog>
  );
}

function WithdrawDialog({ subject, close }: DialogProps) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const readAgain = useReadAgain(subject);
  const { id, version, kind } = subject;
  const initial: { readonly reasonCode: Reason; readonly note: string } = { reasonCode: 'applicant_request', note: '' };
  const form = useForm({
    initial,
    submit: async ({ reasonCode, note }) => {
      const body = { reasonCode, ...(note.trim() !== '' && { note: note.trim() }) };
      await callsOf(subject).withdraw(body, keyFor({ id, version, body }));
      await readAgain();
      announce(t.withdrawn[kind]);
      close();
    },
  });
  return (
    <Dialog title={t.withdrawTitle[kind]} onClose={close}>
      <p className="muted">{t.withdrawText}</p>
      <Form form={form} action={t.withdraw} danger cancel={close}>
        <SelectField field={form.field('reasonCode')} label={t.reason} options={optionsOf(t.reasons)} />
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} optional maxLength={2000} />
      </Form>
    </Dialog>
  );
}
