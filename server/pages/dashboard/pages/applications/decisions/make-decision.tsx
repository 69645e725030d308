/**
 * The dialog that decides about an application or a company. Opened by decisions.tsx. The decision names the evidence
 * that the user saw: if that has changed, the service refuses and the user must look again.
 */
import { api } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import { isProblem, type Problem } from '../../../core/problem.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { CheckboxGroup, SelectField, TextArea } from '../../../ui/fields.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { useIdempotencyKey } from '../../../ui/idempotency-key.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { announce } from '../../../ui/toasts.tsx';
import { callsOf } from '../subject-calls.ts';
import type { Subject } from '../subject.ts';
import { nameOf, optionsOf } from '../words.ts';
import { type ReasonRule, isReasonAllowed } from '../reason-rules.ts';
import { type Choice, useDecisionNames } from './decision-words.ts';
import { Signals } from './signals.tsx';

const words = inLanguages({
  en: {
    title: 'Decide',
    outcome: 'Decision',
    reasons: 'Reasons',
    note: 'Note',
    noteHint: 'What led to it, for your own records: at least ten characters.',
    message: { application: 'Message to the applicant', business: 'Message to the company' },
    messageHint: 'Kept with the decision; nothing is sent.',
    decide: 'Decide',
    effective: 'The decision is in effect.',
    pending: 'The decision waits for a second person.',
    choose: 'Choose a decision',
    missing: {
      choice: 'Choose what you decide.',
      reasonCodes: 'Choose at least one reason.',
      note: 'Write what led to it.',
    },
  },
  pt: {
    title: 'Decidir',
    outcome: 'Decisão',
    reasons: 'Motivos',
    note: 'Observação',
    noteHint: 'O que levou a ela, para os seus registros: ao menos dez caracteres.',
    message: { application: 'Mensagem para a pessoa', business: 'Mensagem para a empresa' },
    messageHint: 'Fica com a decisão; nada é enviado.',
    decide: 'Decidir',
    effective: 'A decisão está em vigor.',
    pending: 'A decisão aguarda outra pessoa.',
    choose: 'Escolha uma decisão',
    missing: {
      choice: 'Escolha o que você decide.',
      reasonCodes: 'Escolha ao menos um motivo.',
      note: 'Escreva o que levou a ela.',
    },
  },
});

export interface DeciderProps {
  readonly subject: Subject;
  /** Reloads the record after the decision. */
  readonly read: () => Promise<void>;
  /** Called if the evidence has changed since it was read. */
  readonly stale: (problem: Problem) => void;
  readonly close: () => void;
}

export function MakeDecision(props: DeciderProps) {
  const t = useWords(words);
  const settings = api.useQuery('get', '/v1/settings', { params: { query: { section: 'decisionPolicy' } } });
  return (
    <Dialog title={t.title} onClose={props.close} wide>
      <Signals signals={props.subject.signals} />
      <Loaded query={settings}>
        {({ decisionPolicy }) => (
          <DecisionForm
            {...props}
            codes={decisionPolicy?.reasonCodes ?? []}
            catalogue={decisionPolicy?.reasonCatalogue ?? []}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

interface Values {
  readonly choice: Choice | '';
  readonly reasonCodes: readonly string[];
  readonly note: string;
  readonly applicantMessage: string;
}

const INITIAL: Values = {
  choice: '',
  reasonCodes: [],
  note: '',
  applicantMessage: '',
};

interface Catalogue {
  /** Reasons of the tenant. */
  readonly codes: readonly string[];
  /** Outcomes for which the platform's reasons are valid. A reason that is not listed is valid for every outcome. */
  readonly catalogue: readonly ReasonRule[];
}

/**
 * Form of a decision. Nothing is preselected, neither a decision nor a reason, and it offers only reasons that are
 * valid for the decision.
 */
function DecisionForm({ subject, codes, catalogue, read, stale, close }: DeciderProps & Catalogue) {
  const t = useWords(words);
  const names = useDecisionNames();
  const keyFor = useIdempotencyKey();
  const { id, kind, evidenceDigest = '' } = subject;
  const form = useForm({
    initial: INITIAL,
    required: t.missing,
    pointers: { choice: '/outcome' },
    handle: (error) => {
      if (!isProblem(error) || error.code !== 'evidence_changed') return null;
      stale(error);
      return true;
    },
    submit: async ({ choice, reasonCodes, note, applicantMessage }) => {
      if (choice === '') return;
      const body = {
        reasonCodes: [...reasonCodes],
        note: note.trim(),
        evidenceDigest,
        ...(applicantMessage.trim() !== '' && { applicantMessage: applicantMessage.trim() }),
        ...(choice === 'approve'
          ? { outcome: 'approve' as const }
          : { outcome: 'reject' as const, rejectType: choice }),
      };
      const decision = await callsOf(subject).decide(body, keyFor({ id, body }));
      await read();
      announce(decision.status === 'effective' ? t.effective : t.pending);
      close();
    },
  });
  const { choice, reasonCodes } = form.values;
  const reasonsFor = (decided: Choice | ''): readonly string[] =>
    codes.filter((code) =>
      isReasonAllowed(catalogue, 'decision', code, decided === '' || decided === 'approve' ? decided : 'reject'),
    );
  const choose = {
    ...form.field('choice'),
    change: (decided: Choice | '') => {
      form.field('choice').change(decided);
      form.set({ reasonCodes: reasonCodes.filter((code) => reasonsFor(decided).includes(code)) });
    },
  };
  return (
    <Form form={form} action={t.decide} cancel={close}>
      <SelectField field={choose} label={t.outcome} options={[['', t.choose], ...optionsOf(names.choices)]} />
      <CheckboxGroup
        field={{ ...form.field('reasonCodes'), closed: choice === '' }}
        label={t.reasons}
        options={reasonsFor(choice).map((value) => ({ value, label: nameOf(names.reasons, value) }))}
      />
      <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} maxLength={4000} />
      <TextArea
        field={form.field('applicantMessage')}
        label={t.message[kind]}
        hint={t.messageHint}
        optional
        maxLength={1000}
      />
    </Form>
  );
}
