/**
 * The button and dialog by which a compliance officer replaces the result of a verification. Part of verifications.tsx.
 * The result of the machine stays; the service may demand a second person for the decision.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../../core/api.ts';
import { useMay } from '../../../core/current.tsx';
import { inLanguages, useWords } from '../../../core/language.ts';
import { answerOf } from '../../../core/problem.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { RadioGroup, SelectField, TextArea } from '../../../ui/fields.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { useIdempotencyKey } from '../../../ui/idempotency-key.ts';
import { announce } from '../../../ui/toasts.tsx';
import { useReadAgain } from '../changed.ts';
import { type Application, nameOf, optionsOf, useNames } from '../words.ts';
import { type OverrideReason, useVerificationNames, type Verification } from './verification-words.ts';

const words = inLanguages({
  en: {
    action: 'Override',
    title: (matter: string) => `Override the result: ${matter}`,
    about: 'Your result counts in place of that of the machine, which stays beside it. Both are part of the evidence.',
    result: 'Result',
    results: { passed: 'Passed', failed: 'Failed' },
    hints: {
      passed: 'Nothing speaks against the person.',
      failed: 'Nobody can approve until there is another result.',
    },
    reason: 'Why',
    choose: 'Choose a reason',
    note: 'What you saw',
    noteHint: 'At least twenty characters.',
    evidence: 'Shown by',
    none: 'No document',
    done: 'The result is overridden.',
    missing: { result: 'Choose a result.', reasonCode: 'Choose a reason.', note: 'Write what you saw.' },
  },
  pt: {
    action: 'Substituir',
    title: (matter: string) => `Substituir o resultado: ${matter}`,
    about: 'O seu resultado vale no lugar do da máquina, que continua ao lado. Os dois fazem parte da evidência.',
    result: 'Resultado',
    results: { passed: 'Aprovada', failed: 'Reprovada' },
    hints: {
      passed: 'Nada depõe contra a pessoa.',
      failed: 'Ninguém pode aprovar até que haja outro resultado.',
    },
    reason: 'Por quê',
    choose: 'Escolha um motivo',
    note: 'O que você viu',
    noteHint: 'Ao menos vinte caracteres.',
    evidence: 'Comprovado por',
    none: 'Nenhum documento',
    done: 'O resultado foi substituído.',
    missing: { result: 'Escolha um resultado.', reasonCode: 'Escolha um motivo.', note: 'Escreva o que você viu.' },
  },
});

/** Statuses whose result a person may replace. */
const FINAL: readonly Verification['status'][] = ['passed', 'failed', 'inconclusive', 'error'];

interface Props {
  readonly application: Application;
  readonly verification: Verification;
  /** The name of what was verified. */
  readonly matter: string;
}

export function OverrideVerification(props: Props) {
  const t = useWords(words);
  const may = useMay();
  const [open, setOpen] = useState(false);
  const { application, verification, matter } = props;
  if (!may('overrideVerification') || application.personalDataMasked || !FINAL.includes(verification.status))
    return null;
  return (
    <>
      <Button look="quiet" small aria-label={t.title(matter)} onClick={() => setOpen(true)}>
        {t.action}
      </Button>
      {open && <OverrideDialog {...props} close={() => setOpen(false)} />}
    </>
  );
}

interface Values {
  readonly result: 'passed' | 'failed' | '';
  readonly reasonCode: OverrideReason | '';
  readonly note: string;
  readonly evidenceDocumentId: string;
}

const INITIAL: Values = {
  result: '',
  reasonCode: '',
  note: '',
  evidenceDocumentId: '',
};

function OverrideDialog({ application, verification, matter, close }: Props & { readonly close: () => void }) {
  const t = useWords(words);
  const { overrideReasons } = useVerificationNames();
  const { documentTypes } = useNames();
  const keyFor = useIdempotencyKey();
  const readAgain = useReadAgain(application);
  const queries = useQueryClient();
  const { id: verificationId, override } = verification;
  const { documents = [] } = application;
  const form = useForm({
    initial: INITIAL,
    required: t.missing,
    submit: async ({ result, reasonCode, note, evidenceDocumentId }) => {
      if (result === '' || reasonCode === '') return;
      const body = {
        result,
        reasonCode,
        note: note.trim(),
        evidenceDocumentId: evidenceDocumentId === '' ? null : evidenceDocumentId,
      };
      const header = { 'Idempotency-Key': keyFor({ verificationId, before: override?.at, body }) };
      await answerOf(
        client.POST('/v1/verifications/{verificationId}/override', {
          params: { path: { verificationId }, header },
          body,
        }),
      );
      await queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/verifications').queryKey });
      await readAgain();
      announce(t.done);
      close();
    },
  });
  const proofs = documents.map(
    (document) => [document.id, `${nameOf(documentTypes, document.type)}: ${document.fileName}`] as const,
  );
  return (
    <Dialog title={t.title(matter)} onClose={close}>
      <p className="muted">{t.about}</p>
      <Form form={form} action={t.action} cancel={close}>
        <RadioGroup
          field={form.field('result')}
          label={t.result}
          options={(['passed', 'failed'] as const).map((value) => ({
            value,
            label: t.results[value],
            hint: t.hints[value],
          }))}
        />
        <SelectField
          field={form.field('reasonCode')}
          label={t.reason}
          options={[['', t.choose], ...optionsOf(overrideReasons)]}
        />
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} maxLength={2000} />
        <SelectField
          field={form.field('evidenceDocumentId')}
          label={t.evidence}
          optional
          options={[['', t.none], ...proofs]}
        />
      </Form>
    </Dialog>
  );
}
