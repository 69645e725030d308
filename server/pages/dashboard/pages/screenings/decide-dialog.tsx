/**
 * The dialog that decides whether a hit is the person. Opened by hit-card.tsx. If two people must decide, the second
 * one uses it, too.
 */
import { api, client, type Schemas } from '../../core/api.ts';
import { useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup, SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { isReasonAllowed } from '../applications/reason-rules.ts';
import { keysOf } from '../applications/words.ts';
import { useScreened } from './changed.ts';
import { type Hit, type Screening, useScreeningNames, type Verdict } from './screening-words.ts';

const words = inLanguages({
  en: {
    title: 'Decide about the hit',
    review: 'Review the decision',
    verdict: 'What did you find out?',
    reason: 'Why',
    note: 'Note',
    noteHint: 'What it rests on, for whoever reads it years later: at least ten characters.',
    decide: 'Decide',
    choose: 'Choose a reason',
    missing: { status: 'Choose what you found out.', reasonCode: 'Choose a reason.', note: 'Write what it rests on.' },
    same: 'Saying the same as the first person confirms the decision; anything else returns it.',
    allowlist: 'Dismiss for every application of this tax number until',
    allowlistHint:
      'Leave it empty to decide for this application only. It holds for the same names, dates and countries. 24 ' +
      'months ahead at most.',
    done: 'The hit is decided.',
    waiting: 'The decision waits for a second person.',
    messages: {
      below_alert_line:
        'Only the lowered threshold of this screening has found the hit, so nothing has to be dismissed ' +
        'elsewhere. Leave it empty.',
      presumption_failed: 'One of the two is not known, or both agree in it. Choose another reason.',
    },
  },
  pt: {
    title: 'Decidir sobre a ocorrência',
    review: 'Revisar a decisão',
    verdict: 'O que você descobriu?',
    reason: 'Motivo',
    note: 'Observação',
    noteHint: 'Em que se apoia, para quem ler daqui a anos: ao menos dez caracteres.',
    decide: 'Decidir',
    choose: 'Escolha um motivo',
    missing: {
      status: 'Escolha o que você descobriu.',
      reasonCode: 'Escolha um motivo.',
      note: 'Escreva em que se apoia.',
    },
    same: 'Dizer o mesmo que a primeira pessoa confirma a decisão; qualquer outra coisa a devolve.',
    allowlist: 'Dispensar em todas as solicitações deste número fiscal até',
    allowlistHint:
      'Deixe vazio para decidir só nesta solicitação. Vale para os mesmos nomes, datas e países. No ' +
      'máximo 24 meses à frente.',
    done: 'A ocorrência foi decidida.',
    waiting: 'A decisão aguarda uma segunda pessoa.',
    messages: {
      below_alert_line:
        'Só o limite reduzido desta triagem achou a ocorrência, por isso nada precisa ser dispensado em outro ' +
        'lugar. Deixe vazio.',
      presumption_failed: 'Um dos dois não é conhecido, ou ambos coincidem nisso. Escolha outro motivo.',
    },
  },
});

type Reason = Schemas['HitReason'];

interface DecideProps {
  readonly screening: Screening;
  readonly hit: Hit;
  readonly close: () => void;
}

/** Records a finding about a hit, with nothing preselected. If two people must decide, the second one uses it too. */
export function DecideDialog({
  screening: { id: screeningId, applicationId },
  hit: { id: hitId, proposal },
  close,
}: DecideProps) {
  const t = useWords(words);
  const names = useScreeningNames();
  const { user } = useCurrent();
  const keyFor = useIdempotencyKey();
  const screened = useScreened();
  const settings = api.useQuery('get', '/v1/settings', { params: { query: { section: 'decisionPolicy' } } });
  const catalogue = settings.data?.decisionPolicy?.reasonCatalogue ?? [];
  const initial: {
    readonly status: Verdict | '';
    readonly reasonCode: Reason | '';
    readonly note: string;
    readonly until: string;
  } = {
    status: '',
    reasonCode: '',
    note: '',
    until: '',
  };
  const form = useForm({
    initial,
    required: t.missing,
    messages: t.messages,
    pointers: { until: '/allowlist' },
    submit: async ({ status, reasonCode, note, until }) => {
      if (status === '' || reasonCode === '') return;
      const body = {
        status,
        reasonCode,
        note: note.trim(),
        ...(until !== '' && { allowlist: { expiresAt: `${until}T00:00:00.000Z` } }),
      };
      const hit = await answerOf(
        client.POST('/v1/screenings/{screeningId}/hits/{hitId}/adjudicate', {
          params: { path: { screeningId, hitId }, header: { 'Idempotency-Key': keyFor({ hitId, proposal, body }) } },
          body,
        }),
      );
      await screened(screeningId, applicationId);
      announce(hit.proposal === null ? t.done : t.waiting);
      close();
    },
  });
  const allowlist = {
    ...form.field('until'),
    closed: user.role !== 'compliance_officer' || form.values.status !== 'false_positive',
  };
  const { status, reasonCode } = form.values;
  const reasonsFor = (verdict: Verdict | ''): readonly Reason[] =>
    keysOf(names.reasons).filter((code) => isReasonAllowed(catalogue, 'hit', code, verdict));
  const verdict = {
    ...form.field('status'),
    change: (found: Verdict | '') => {
      form.field('status').change(found);
      if (reasonCode !== '' && !reasonsFor(found).includes(reasonCode)) form.set({ reasonCode: '' });
    },
  };
  return (
    <Dialog title={proposal === null ? t.title : t.review} onClose={close}>
      {proposal !== null && <p className="muted">{t.same}</p>}
      <Form form={form} action={t.decide} cancel={close}>
        <RadioGroup
          field={verdict}
          label={t.verdict}
          options={keysOf(names.verdicts).map((value) => ({ value, label: names.verdicts[value] }))}
        />
        <SelectField
          field={{ ...form.field('reasonCode'), closed: status === '' }}
          label={t.reason}
          options={[['', t.choose], ...reasonsFor(status).map((code) => [code, names.reasons[code]] as const)]}
        />
        <TextArea field={form.field('note')} label={t.note} hint={t.noteHint} maxLength={4000} />
        <TextField field={allowlist} type="date" label={t.allowlist} hint={t.allowlistHint} optional />
      </Form>
    </Dialog>
  );
}
