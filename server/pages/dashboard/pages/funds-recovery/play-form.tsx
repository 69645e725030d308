/** Starts a scenario in the sandbox. Used by funds-recovery-page.tsx. */
import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { codeInWords, useRecoveryWords } from './recovery-words.ts';

type Scenario = Schemas['RecoveryScenario'];
type Role = NonNullable<Schemas['ScenarioStart']['role']>;
type Pace = NonNullable<Schemas['ScenarioStart']['pace']>;

const words = inLanguages({
  en: {
    scenario: 'Scenario',
    you: 'You are',
    SENT: 'The payer’s side, which opens it',
    RECEIVED: 'The receiver’s side',
    amount: 'Amount in reais',
    enter: 'Enter the amount of the payment.',
    range: (from: string, to: string) => `From ${from} to ${to}.`,
    usual: '812.40',
    number: 'Enter an amount such as 812.40.',
    pace: 'Pace',
    realtime: 'While you watch, in two minutes',
    instant: 'At once',
    stepped: 'Step by step, with the clock',
    play: 'Play',
    played: 'The scenario is played.',
    refused: (error: string) => `The directory has refused to open the recovery: ${error}.`,
    onTimeout: (what: string) => `When a limit passes, the directory does: ${what}.`,
    toCome: (count: number) => `${count} events to come`,
  },
  pt: {
    scenario: 'Cenário',
    you: 'Você é',
    SENT: 'O lado do pagador, que a abre',
    RECEIVED: 'O lado do recebedor',
    amount: 'Valor em reais',
    enter: 'Digite o valor do pagamento.',
    range: (from: string, to: string) => `De ${from} a ${to}.`,
    usual: '812,40',
    number: 'Digite um valor como 812,40.',
    pace: 'Ritmo',
    realtime: 'Enquanto você olha, em dois minutos',
    instant: 'De uma vez',
    stepped: 'Passo a passo, com o relógio',
    play: 'Simular',
    played: 'O cenário foi simulado.',
    refused: (error: string) => `O diretório recusou abrir a recuperação: ${error}.`,
    onTimeout: (what: string) => `Quando um prazo passa, o diretório faz: ${what}.`,
    toCome: (count: number) => `${count} eventos por vir`,
  },
});

const ROLES = ['SENT', 'RECEIVED'] as const satisfies readonly Role[];
const PACES = ['realtime', 'instant', 'stepped'] as const satisfies readonly Pace[];

/** Runs a scenario in the sandbox directory. */
export function PlayForm({
  scenarios,
  onStart,
}: {
  readonly scenarios: readonly Scenario[];
  readonly onStart: (run: Schemas['ScenarioRun']) => void;
}) {
  const t = useWords(words);
  const format = useFormat();
  const keyFor = useIdempotencyKey();
  const [played, setPlayed] = useState(0);
  const range = t.range(format.money(100, 'BRL'), format.money(100_000_000_000, 'BRL'));
  const initial: {
    readonly scenario: string;
    readonly role: Role;
    readonly amount: string;
    readonly pace: Pace;
  } = {
    scenario: scenarios[0]?.name ?? '',
    role: 'SENT',
    amount: t.usual,
    pace: 'realtime',
  };
  const form = useForm({
    initial,
    required: { amount: t.enter },
    messages: { too_small: range, too_large: range, type: t.number },
    submit: async ({ scenario, role, amount, pace }) => {
      const body = {
        scenario,
        role,
        pace,
        amount: { amount: centavos(amount), currency: 'BRL' as const },
      };
      // The key changes after each run: the same scenario may be started twice, but not because an answer was lost.
      const run = await answerOf(
        client.POST('/v1/sandbox/funds-recovery/scenarios', {
          params: { header: { 'Idempotency-Key': keyFor([body, played]) } },
          body,
        }),
      );
      setPlayed(played + 1);
      onStart(run);
      announce(run.refusal === null ? t.played : t.refused(run.refusal));
    },
  });
  const scenario = scenarios.find(({ name }) => name === form.values.scenario);
  const roles = ROLES.filter((role) => scenario?.roles.includes(role) ?? true);
  const choose = (name: string) => {
    const offered = scenarios.find((one) => one.name === name)?.roles ?? [];
    const other = ROLES.find((role) => offered.includes(role));
    form.field('scenario').change(name);
    if (!offered.includes(form.values.role) && other !== undefined) form.set({ role: other });
  };
  return (
    <div className="stack">
      <Form form={form} action={t.play}>
        <SelectField
          field={{ ...form.field('scenario'), change: choose }}
          label={t.scenario}
          options={scenarios.map(({ name, title }) => [name, title])}
        />
        <SelectField field={form.field('role')} label={t.you} options={roles.map((role) => [role, t[role]])} />
        <TextField
          field={form.field('amount')}
          label={t.amount}
          inputMode="decimal"
          autoComplete="off"
          maxLength={15}
        />
        <SelectField field={form.field('pace')} label={t.pace} options={PACES.map((pace) => [pace, t[pace]])} />
      </Form>
      {scenario !== undefined && <About scenario={scenario} role={form.values.role} />}
    </div>
  );
}

/** Converts reais with a point or a comma to centavos. The service refuses anything that is no number. */
function centavos(typed: string): number {
  return Math.round(Number(typed.trim().replace(',', '.')) * 100);
}

function About({
  scenario: { description, onTimeout, expectedEvents, expectedEventsReceived },
  role,
}: {
  readonly scenario: Scenario;
  readonly role: Role;
}) {
  const t = useWords(words);
  const names = useRecoveryWords();
  const expected = role === 'RECEIVED' ? expectedEventsReceived : expectedEvents;
  return (
    <div className="stack" aria-live="polite">
      <p className="muted">{description}</p>
      {onTimeout !== 'NONE' && <p className="muted">{t.onTimeout(codeInWords(onTimeout))}</p>}
      <details>
        <summary>{t.toCome(expected.length)}</summary>
        <ol className="recovery-expected">
          {expected.map((eventType, index) => (
            <li key={`${index} ${eventType}`}>{names.event(eventType)}</li>
          ))}
        </ol>
      </details>
    </div>
  );
}
