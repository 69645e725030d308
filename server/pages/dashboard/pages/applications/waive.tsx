/**
 * The dialog that waives a requirement or takes that back, and how a waiver is shown. Used by requirements.tsx. Any
 * approval with a waiver needs a second person.
 */
import { api, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useReadAgain } from './changed.ts';
import { isReasonAllowed } from './reason-rules.ts';
import { callsOf } from './subject-calls.ts';
import type { Subject } from './subject.ts';
import { nameOf, optionsOf, useNames } from './words.ts';

type Reason = Schemas['WaiverCreate']['reasonCode'];

const words = inLanguages({
  en: {
    granted: {
      title: (name: string) => `Waive: ${name}`,
      text: 'The requirement counts as met. Any approval then needs a second person.',
      action: 'Waive',
      done: 'The requirement is waived.',
    },
    revoked: {
      title: (name: string) => `Revoke waiver: ${name}`,
      text: 'The requirement must be met again.',
      action: 'Revoke the waiver',
      done: 'The requirement is no longer waived.',
    },
    choose: 'Choose a reason',
    missing: { reasonCode: 'Choose a reason.', note: 'Enter a note.' },
    reason: 'Why',
    note: 'Note',
    noteHint: 'At least ten characters, for your own records.',
    reasons: {
      verified_elsewhere: 'It was verified elsewhere',
      not_obtainable: 'It cannot be obtained',
      disproportionate: 'Disproportionate to the risk',
      error_correction: 'Correction of an error',
      other: 'Another reason',
    } satisfies Record<Reason, string>,
  },
  pt: {
    granted: {
      title: (name: string) => `Dispensar: ${name}`,
      text: 'O requisito conta como atendido. Qualquer aprovação passa a exigir uma segunda pessoa.',
      action: 'Dispensar',
      done: 'O requisito foi dispensado.',
    },
    revoked: {
      title: (name: string) => `Revogar dispensa: ${name}`,
      text: 'O requisito precisa ser atendido de novo.',
      action: 'Revogar a dispensa',
      done: 'O requisito não está mais dispensado.',
    },
    choose: 'Escolha um motivo',
    missing: { reasonCode: 'Escolha um motivo.', note: 'Escreva uma observação.' },
    reason: 'Motivo',
    note: 'Observação',
    noteHint: 'Ao menos dez caracteres, para os seus próprios registros.',
    reasons: {
      verified_elsewhere: 'Foi verificado em outro lugar',
      not_obtainable: 'Não pode ser obtido',
      disproportionate: 'Desproporcional ao risco',
      error_correction: 'Correção de um erro',
      other: 'Outro motivo',
    } satisfies Record<Reason, string>,
  },
});

/** Shows the reason and the author of a waiver to the reviewer. */
export function WaiverDetails({
  waiver: { reasonCode, note, createdBy, createdAt },
}: {
  readonly waiver: Schemas['Waiver'];
}) {
  const { reasons } = useWords(words);
  const format = useFormat();
  return (
    <p className="hint">
      {nameOf(reasons, reasonCode)} · {note} · {createdBy.display}, {format.dateTime(createdAt)}
    </p>
  );
}

export interface Waiving {
  readonly action: 'granted' | 'revoked';
  readonly requirementKey: string;
}

export function WaiveDialog({
  subject,
  waiving: { action, requirementKey },
  close,
}: {
  readonly subject: Subject;
  readonly waiving: Waiving;
  readonly close: () => void;
}) {
  const t = useWords(words);
  const { requirements } = useNames();
  const keyFor = useIdempotencyKey();
  const readAgain = useReadAgain(subject);
  const { id } = subject;
  const initial: { readonly reasonCode: Reason | ''; readonly note: string } = { reasonCode: '', note: '' };
  const settings = api.useQuery('get', '/v1/settings', { params: { query: { section: 'decisionPolicy' } } });
  const reasons = optionsOf(t.reasons).filter(([code]) =>
    isReasonAllowed(settings.data?.decisionPolicy?.reasonCatalogue ?? [], 'waiver', code, action),
  );
  const form = useForm({
    initial,
    required: t.missing,
    submit: async ({ reasonCode, note }) => {
      if (reasonCode === '') return;
      const body = {
        action,
        requirementKey,
        reasonCode,
        note: note.trim(),
      };
      await callsOf(subject).waive(body, keyFor({ id, body }));
      await readAgain();
      announce(t[action].done);
      close();
    },
  });
  return (
    <Dialog title={t[action].title(nameOf(requirements, requirementKey))} onClose={close}>
      <p className="muted">{t[action].text}</p>
      <Form form={form} action={t[action].action} cancel={close}>
        <SelectField field={form.field('reasonCode')} label={t.reason} options={[['', t.choose], ...reasons]} />
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} maxLength={2000} />
      </Form>
    </Dialog>
  );
}
