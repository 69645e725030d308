import { api, client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckboxGroup, SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { isReasonAllowed } from '../applications/reason-rules.ts';
import { keysOf, optionsOf } from '../applications/words.ts';
import { type CaseReason, type Outcome, type ReviewCase, useCaseNames } from './case-words.ts';
import { matching, useCaseChanged } from './changed.ts';

const words = inLanguages({
  en: {
    title: 'Resolve the case',
    explained: 'The resolution decides nothing about the application itself: decide there.',
    outcome: 'Outcome',
    choose: 'Choose an outcome',
    reasons: 'Reasons',
    note: 'Note',
    noteHint: 'What led to it: at least twenty characters.',
    resolve: 'Resolve',
    resolved: 'The case is resolved.',
    pending: 'The resolution waits for a second person.',
    missing: {
      outcome: 'Choose an outcome.',
      reasonCodes: 'Choose at least one reason.',
      note: 'Write what led to it.',
    },
  },
  pt: {
    title: 'Concluir o caso',
    explained: 'A conclusão nada decide sobre a solicitação em si: decida lá.',
    outcome: 'Resultado',
    choose: 'Escolha um resultado',
    reasons: 'Motivos',
    note: 'Observação',
    noteHint: 'O que levou a ele: ao menos vinte caracteres.',
    resolve: 'Concluir',
    resolved: 'O caso está concluído.',
    pending: 'A conclusão aguarda outra pessoa.',
    missing: {
      outcome: 'Escolha um resultado.',
      reasonCodes: 'Escolha ao menos um motivo.',
      note: 'Escreva o que levou a ele.',
    },
  },
});

interface Values {
  readonly outcome: Outcome | '';
  readonly reasonCodes: readonly CaseReason[];
  readonly note: string;
}

const INITIAL: Values = { outcome: '', reasonCodes: [], note: '' };

/** The form of a resolution. It offers only reasons that the catalogue of the settings allows for the outcome. */
export function ResolveCase({ reviewCase, close }: { readonly reviewCase: ReviewCase; readonly close: () => void }) {
  const t = useWords(words);
  const names = useCaseNames();
  const keyFor = useIdempotencyKey();
  const changed = useCaseChanged();
  const settings = api.useQuery('get', '/v1/settings', { params: { query: { section: 'decisionPolicy' } } });
  const catalogue = settings.data?.decisionPolicy?.reasonCatalogue ?? [];
  const { id, evidenceDigest = '' } = reviewCase;
  const reasonsFor = (outcome: Outcome | ''): readonly CaseReason[] =>
    keysOf(names.reasons).filter((code) => isReasonAllowed(catalogue, 'case', code, outcome));
  const form = useForm({
    initial: INITIAL,
    required: t.missing,
    submit: async ({ outcome, reasonCodes, note }) => {
      if (outcome === '') return;
      const body = {
        outcome,
        reasonCodes: [...reasonCodes],
        note: note.trim(),
        evidenceDigest,
      };
      const resolution = await answerOf(
        client.POST('/v1/cases/{caseId}/resolve', {
          params: {
            path: { caseId: id },
            header: { ...matching(reviewCase), 'Idempotency-Key': keyFor({ id, body }) },
          },
          body,
        }),
      );
      await changed(id);
      announce(resolution.status === 'effective' ? t.resolved : t.pending);
      close();
    },
  });
  const { outcome, reasonCodes } = form.values;
  const choice = {
    ...form.field('outcome'),
    change: (chosen: Outcome | '') => {
      form.field('outcome').change(chosen);
      form.set({ reasonCodes: reasonCodes.filter((code) => reasonsFor(chosen).includes(code)) });
    },
  };
  return (
    <Dialog title={t.title} onClose={close} wide>
      <p className="muted">{t.explained}</p>
      <Form form={form} action={t.resolve} cancel={close}>
        <SelectField field={choice} label={t.outcome} options={[['', t.choose], ...optionsOf(names.outcomes)]} />
        <CheckboxGroup
          field={{ ...form.field('reasonCodes'), closed: outcome === '' }}
          label={t.reasons}
          options={reasonsFor(outcome).map((value) => ({ value, label: names.reasons[value] }))}
        />
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} maxLength={4000} />
      </Form>
    </Dialog>
  );
}
