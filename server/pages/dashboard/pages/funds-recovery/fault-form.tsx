/** Makes the simulated directory misbehave in the sandbox. Used by funds-recovery-page.tsx. */
import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { SelectField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';

type Kind = Schemas['DirectoryFault']['kind'];
type Counted = '1' | '2' | '5';

interface FaultWords {
  readonly what: string;
  readonly hint: string;
  readonly often: string;
  readonly times: (count: number) => string;
  readonly arm: string;
  readonly armed: (kind: string, count: number) => string;
  readonly kinds: Readonly<Record<Kind, string>>;
}

const words = inLanguages<FaultWords>({
  en: {
    what: 'What',
    hint: 'The feed must come out the same.',
    often: 'How often',
    times: (count) => (count === 1 ? 'Once' : `${count} times`),
    arm: 'Arm',
    armed: (kind, count) => `${kind}: armed for ${count === 1 ? 'the next answer' : `the next ${count} answers`}.`,
    kinds: {
      duplicate_page: 'Duplicate page',
      reversed_page: 'Reversed page',
      late_notification: 'Late notification',
      dropped_notification: 'Dropped notification',
      cursor_invalidated: 'Cursor invalidated',
      rate_limited: 'Too many requests',
      unavailable: 'Unavailable',
      slow: 'Slow answer',
      truncated: 'Truncated answer',
      wrong_signature: 'Wrong signature',
      unknown_enum: 'Unknown values',
      clock_skew: 'Clock an hour ahead',
    },
  },
  pt: {
    what: 'O quê',
    hint: 'O feed tem de sair igual.',
    often: 'Quantas vezes',
    times: (count) => (count === 1 ? 'Uma vez' : `${count} vezes`),
    arm: 'Preparar',
    armed: (kind, count) =>
      `${kind}: preparado para ${count === 1 ? 'a próxima resposta' : `as próximas ${count} respostas`}.`,
    kinds: {
      duplicate_page: 'Página repetida',
      reversed_page: 'Página invertida',
      late_notification: 'Notificação atrasada',
      dropped_notification: 'Notificação perdida',
      cursor_invalidated: 'Cursor invalidado',
      rate_limited: 'Pedidos demais',
      unavailable: 'Fora do ar',
      slow: 'Resposta lenta',
      truncated: 'Resposta cortada',
      wrong_signature: 'Assinatura errada',
      unknown_enum: 'Valores desconhecidos',
      clock_skew: 'Relógio uma hora adiantado',
    },
  },
});

const KINDS = [
  'duplicate_page',
  'reversed_page',
  'late_notification',
  'dropped_notification',
  'cursor_invalidated',
  'rate_limited',
  'unavailable',
  'slow',
  'truncated',
  'wrong_signature',
  'unknown_enum',
  'clock_skew',
] as const satisfies readonly Kind[];
const COUNTS = ['1', '2', '5'] as const satisfies readonly Counted[];

/** Injects a fault between the directory and the service. The feed must have the same content despite it. */
export function FaultForm() {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const [armed, setArmed] = useState(0);
  const initial: { readonly kind: Kind; readonly count: Counted } = { kind: 'duplicate_page', count: '1' };
  const form = useForm({
    initial,
    submit: async ({ kind, count }) => {
      const body = { kind, count: Number(count) };
      const { remaining } = await answerOf(
        client.POST('/v1/sandbox/funds-recovery/faults', {
          params: { header: { 'Idempotency-Key': keyFor([body, armed]) } },
          body,
        }),
      );
      setArmed(armed + 1);
      announce(t.armed(t.kinds[kind], remaining));
    },
  });
  return (
    <Form form={form} action={t.arm}>
      <SelectField
        field={form.field('kind')}
        label={t.what}
        hint={t.hint}
        options={KINDS.map((kind) => [kind, t.kinds[kind]])}
      />
      <SelectField
        field={form.field('count')}
        label={t.often}
        options={COUNTS.map((count) => [count, t.times(Number(count))])}
      />
    </Form>
  );
}
