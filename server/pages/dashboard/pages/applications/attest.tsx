/**
 * The dialog by which a reviewer records a look-up of their own as evidence for a requirement, and how such a look-up
 * is shown. Used by requirements.tsx.
 */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup, SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { localMinute } from '../../ui/local-minute.ts';
import { announce } from '../../ui/toasts.tsx';
import { useReadAgain } from './changed.ts';
import { callsOf } from './subject-calls.ts';
import type { Subject, SubjectKind } from './subject.ts';
import { nameOf, useNames } from './words.ts';

type Attestation = Schemas['Attestation'];
type Outcomes = Readonly<Record<SubjectKind, Readonly<Record<Attestation['outcome'], string>>>>;

const words = inLanguages({
  en: {
    title: (name: string) => `Attest: ${name}`,
    text: 'Look it up, and write down where, when and what it said. Any approval then needs a second person.',
    outcome: 'What was found',
    source: 'Where',
    sourceHint: 'The name of the register, or an address.',
    lookedUpAt: 'When',
    note: 'Note',
    noteHint: 'At least ten characters, for your own records.',
    evidence: 'Shown by',
    none: 'No document',
    action: 'Attest',
    done: 'The attestation is recorded.',
    outcomes: {
      application: { pass: 'Nothing against the person', fail: 'Something against the person' },
      business: { pass: 'Nothing against the company', fail: 'Something against the company' },
    } satisfies Outcomes,
    hints: {
      pass: 'The requirement counts as verified for 90 days.',
      fail: 'Nobody can approve until it is looked up again.',
    } satisfies Record<Attestation['outcome'], string>,
    missing: {
      outcome: 'Choose what was found.',
      source: 'Enter where it was looked up.',
      lookedUpAt: 'Enter when it was looked up.',
      note: 'Enter what it said.',
    },
    messages: { range: 'This is in the future, or more than 90 days ago.' },
  },
  pt: {
    title: (name: string) => `Atestar: ${name}`,
    text:
      'Consulte e anote onde, quando e o que foi encontrado. Qualquer aprovação passa a exigir uma ' +
      'segunda pessoa.',
    outcome: 'O que foi encontrado',
    source: 'Onde',
    sourceHint: 'O nome do cadastro, ou um endereço.',
    lookedUpAt: 'Quando',
    note: 'Observação',
    noteHint: 'Ao menos dez caracteres, para os seus próprios registros.',
    evidence: 'Comprovado por',
    none: 'Nenhum documento',
    action: 'Atestar',
    done: 'O atestado foi registrado.',
    outcomes: {
      application: { pass: 'Nada contra a pessoa', fail: 'Algo contra a pessoa' },
      business: { pass: 'Nada contra a empresa', fail: 'Algo contra a empresa' },
    } satisfies Outcomes,
    hints: {
      pass: 'O requisito conta como verificado por 90 dias.',
      fail: 'Ninguém pode aprovar até que seja consultado de novo.',
    } satisfies Record<Attestation['outcome'], string>,
    missing: {
      outcome: 'Escolha o que foi encontrado.',
      source: 'Informe onde foi consultado.',
      lookedUpAt: 'Informe quando foi consultado.',
      note: 'Informe o que foi encontrado.',
    },
    messages: { range: 'Está no futuro, ou há mais de 90 dias.' },
  },
});

/** Shows the outcome, source and author of a look-up to the reviewer. */
export function AttestedBecause({
  kind,
  attestation: { outcome, source, note, createdBy, lookedUpAt },
}: {
  readonly kind: SubjectKind;
  readonly attestation: Attestation;
}) {
  const { outcomes } = useWords(words);
  const format = useFormat();
  return (
    <p className="hint">
      {nameOf(outcomes[kind], outcome)} · {source} · {note} · {createdBy.display}, {format.dateTime(lookedUpAt)}
    </p>
  );
}

export function AttestDialog({
  subject,
  requirementKey,
  close,
}: {
  readonly subject: Subject;
  readonly requirementKey: string;
  readonly close: () => void;
}) {
  const t = useWords(words);
  const { requirements, documentTypes } = useNames();
  const keyFor = useIdempotencyKey();
  const readAgain = useReadAgain(subject);
  const { id, kind, documents = [] } = subject;
  const initial: {
    readonly outcome: Attestation['outcome'] | '';
    readonly source: string;
    readonly lookedUpAt: string;
    readonly note: string;
    readonly evidenceDocumentId: string;
  } = {
    outcome: '',
    source: '',
    lookedUpAt: localMinute(new Date()),
    note: '',
    evidenceDocumentId: '',
  };
  const form = useForm({
    initial,
    required: t.missing,
    messages: t.messages,
    submit: async ({ outcome, source, lookedUpAt, note, evidenceDocumentId }) => {
      if (outcome === '') return;
      const body = {
        requirementKey,
        outcome,
        source: source.trim(),
        lookedUpAt: new Date(lookedUpAt).toISOString(),
        note: note.trim(),
        evidenceDocumentId: evidenceDocumentId === '' ? null : evidenceDocumentId,
      };
      await callsOf(subject).attest(body, keyFor({ id, body }));
      await readAgain();
      announce(t.done);
      close();
    },
  });
  const proofs = documents.map(
    (document) => [document.id, `${documentTypes[document.type]}: ${document.fileName}`] as const,
  );
  return (
    <Dialog title={t.title(nameOf(requirements, requirementKey))} onClose={close}>
      <p className="muted">{t.text}</p>
      <Form form={form} action={t.action} cancel={close}>
        <RadioGroup
          field={form.field('outcome')}
          label={t.outcome}
          options={(['pass', 'fail'] as const).map((value) => ({
            value,
            label: t.outcomes[kind][value],
            hint: t.hints[value],
          }))}
        />
        <TextField field={form.field('source')} label={t.source} hint={t.sourceHint} maxLength={300} />
        <TextField field={form.field('lookedUpAt')} type="datetime-local" label={t.lookedUpAt} />
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} maxLength={4000} />
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
