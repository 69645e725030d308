import { useState } from 'react';
import { client } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Facts, Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { nameOf, optionsOf } from '../applications/words.ts';
import { useRiskChanged } from './changed.ts';
import { LevelBadge } from './level-badge.tsx';
import { type Assessment, type Level, type OverrideReason, useRiskNames } from './risk-words.ts';

const words = inLanguages({
  en: {
    action: 'Override the level',
    title: 'Override',
    about:
      'The level that you set counts until the end, and meanwhile decisions about the person take a second person. ' +
      'Then the person is assessed again.',
    level: 'Level',
    reason: 'Why',
    choose: 'Choose a level',
    chooseReason: 'Choose a reason',
    note: 'Note',
    noteHint: 'The reasoning: at least twenty characters.',
    until: 'Until the end of',
    untilHint: 'At most twelve months ahead.',
    done: 'The level is overridden.',
    by: 'By',
    from: 'Since',
    to: 'Until',
    ended: 'Ended',
    missing: {
      level: 'Choose a level.',
      reasonCode: 'Choose a reason.',
      note: 'Write the reasoning.',
      day: 'Enter a day.',
    },
  },
  pt: {
    action: 'Ajustar o nível',
    title: 'Ajuste',
    about:
      'O nível que você define vale até o fim, e nesse tempo as decisões sobre a pessoa pedem uma segunda pessoa. ' +
      'Depois a pessoa é avaliada de novo.',
    level: 'Nível',
    reason: 'Motivo',
    choose: 'Escolha um nível',
    chooseReason: 'Escolha um motivo',
    note: 'Observação',
    noteHint: 'O raciocínio: ao menos vinte caracteres.',
    until: 'Até o fim de',
    untilHint: 'No máximo doze meses adiante.',
    done: 'O nível foi ajustado.',
    by: 'Por',
    from: 'Desde',
    to: 'Até',
    ended: 'Terminou',
    missing: {
      level: 'Escolha um nível.',
      reasonCode: 'Escolha um motivo.',
      note: 'Escreva o raciocínio.',
      day: 'Digite um dia.',
    },
  },
});

/** The override of an assessment, if there is one. */
export function OverrideSection({ assessment: { override, environment } }: { readonly assessment: Assessment }) {
  const t = useWords(words);
  const { overrideReasons } = useRiskNames();
  const format = useRecordFormat(environment);
  if (override === null) return null;
  const { level, reasonCode, note, by, createdAt, expiresAt, endedAt } = override;
  return (
    <Section title={t.title}>
      <Facts
        facts={[
          [t.level, <LevelBadge key="level" level={level} />],
          [t.reason, nameOf(overrideReasons, reasonCode)],
          [t.note, note],
          [t.by, by.display],
          [t.from, format.dateTime(createdAt)],
          endedAt === null ? [t.to, format.dateTime(expiresAt)] : [t.ended, format.dateTime(endedAt)],
        ]}
      />
    </Section>
  );
}

interface OverrideProps {
  readonly assessmentId: string;
  readonly assessment: Assessment;
}

/** The button for an override of the current assessment. A prohibited subject stays prohibited. */
export function OverrideAction({ assessmentId, assessment }: OverrideProps) {
  const t = useWords(words);
  const may = useMay();
  const [open, setOpen] = useState(false);
  const { supersededById, level } = assessment;
  if (!may('overrideRiskAssessment') || supersededById !== null || level === 'prohibited') return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.action}</Button>
      {open && <OverrideDialog assessmentId={assessmentId} assessment={assessment} close={() => setOpen(false)} />}
    </>
  );
}

interface Values {
  readonly level: Level | '';
  readonly reasonCode: OverrideReason | '';
  readonly note: string;
  readonly day: string;
}

const INITIAL: Values = {
  level: '',
  reasonCode: '',
  note: '',
  day: '',
};

function OverrideDialog({ assessmentId, assessment, close }: OverrideProps & { readonly close: () => void }) {
  const t = useWords(words);
  const { levels, overrideReasons } = useRiskNames();
  const keyFor = useIdempotencyKey();
  const changed = useRiskChanged();
  const form = useForm({
    initial: INITIAL,
    required: t.missing,
    pointers: { day: '/expiresAt' },
    submit: async ({ level, reasonCode, note, day }) => {
      if (level === '' || reasonCode === '') return;
      const expiresAt = new Date(`${day}T23:59:59`).toISOString();
      const body = {
        level,
        reasonCode,
        note: note.trim(),
        expiresAt,
      };
      const key = keyFor({ assessmentId, before: assessment.override?.createdAt, body });
      const params = { path: { assessmentId }, header: { 'Idempotency-Key': key } };
      await answerOf(client.POST('/v1/risk/assessments/{assessmentId}/override', { params, body }));
      await changed();
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={t.action} onClose={close}>
      <p className="muted">{t.about}</p>
      <Form form={form} action={t.action} cancel={close}>
        <SelectField field={form.field('level')} label={t.level} options={[['', t.choose], ...optionsOf(levels)]} />
        <SelectField
          field={form.field('reasonCode')}
          label={t.reason}
          options={[['', t.chooseReason], ...optionsOf(overrideReasons)]}
        />
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} maxLength={4000} />
        <TextField field={form.field('day')} type="date" label={t.until} hint={t.untilHint} />
      </Form>
    </Dialog>
  );
}
