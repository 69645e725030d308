/** The form that makes something happen in the sandbox. Part of sandbox-page.tsx. */
import { client, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { words } from './words.ts';

type SimulationCreate = Schemas['SimulationCreate'];

const TYPES = [
  'advance_clock',
  'document_expiry',
  'list_update_hit',
  'registry_change',
  'power_expiry',
  'funds_recovery_event',
] as const satisfies readonly SimulationCreate['type'][];
const SPANS = ['3600', '86400', '604800', '2592000', '31536000'] as const;
const TARGETS = ['document', 'application'] as const;
const CHANGES = ['closed', 'suspended', 'unfit', 'active', 'new_partner'] as const;
const ID_HINTS = {
  advance_clock: 'idHintOptional',
  document_expiry: 'idHint',
  list_update_hit: 'idHintApproved',
  registry_change: 'idHintCompany',
  power_expiry: 'idHintPower',
  funds_recovery_event: 'idHintOptional',
} as const;

interface Values {
  readonly type: (typeof TYPES)[number];
  readonly seconds: (typeof SPANS)[number];
  readonly target: (typeof TARGETS)[number];
  readonly id: string;
  readonly eventType: string;
  readonly listId: string;
  readonly change: (typeof CHANGES)[number];
}

/** Triggers events that outside of the sandbox take time or other parties. */
export function Simulate({
  status,
  reload,
}: {
  readonly status: Schemas['SandboxStatus'];
  readonly reload: () => Promise<void>;
}) {
  const t = useWords(words);
  const may = useMay();
  const keyFor = useIdempotencyKey();
  const form = useForm<Values>({
    initial: {
      type: 'advance_clock',
      seconds: '86400',
      target: 'document',
      id: '',
      eventType: '',
      listId: '',
      change: 'closed',
    },
    required: ({ type: chosen }) =>
      chosen === 'advance_clock' || chosen === 'funds_recovery_event' ? {} : { id: t.enterId },
    pointers: {
      seconds: '/parameters/seconds',
      target: '/target/type',
      id: '/target',
      eventType: '/parameters/eventType',
      listId: '/parameters/listId',
      change: '/parameters/registryChange',
    },
    submit: async (values) => {
      const body = requestOf(values);
      const { effects } = await answerOf(
        client.POST('/v1/sandbox/simulations', {
          params: { header: { 'Idempotency-Key': keyFor([body, status.clock.offsetSeconds, status.counts]) } },
          body,
        }),
      );
      await reload();
      announce(
        effects.map(({ resource, change }) => `${resource.type.replaceAll('_', ' ')}: ${change}`).join('; ') ||
          t.nothing,
      );
    },
  });
  if (!may('createSimulation')) return null;
  const { type } = form.values;
  return (
    <Section title={t.simulate}>
      {!status.enabled && <Notice>{t.switchFirst}</Notice>}
      <Form form={form} action={t.run}>
        <div className="filters">
          <SelectField
            field={form.field('type')}
            label={t.what}
            options={TYPES.filter((one) => status.simulationTypes.includes(one)).map((one) => [one, t.types[one]])}
          />
          {type === 'advance_clock' && (
            <SelectField
              field={form.field('seconds')}
              label={t.howMuch}
              options={SPANS.map((one) => [one, t.spans[one]])}
            />
          )}
          {type === 'document_expiry' && (
            <SelectField
              field={form.field('target')}
              label={t.expires}
              options={TARGETS.map((one) => [one, t.targets[one]])}
            />
          )}
          {type === 'registry_change' && (
            <SelectField
              field={form.field('change')}
              label={t.says}
              options={CHANGES.map((one) => [one, t.changes[one]])}
            />
          )}
        </div>
        {type !== 'advance_clock' && (
          <TextField
            field={form.field('id')}
            label={t.id}
            hint={t[ID_HINTS[type]]}
            maxLength={36}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {type === 'list_update_hit' && (
          <TextField
            field={form.field('listId')}
            label={t.list}
            hint={t.listHint}
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {type === 'funds_recovery_event' && (
          <TextField
            field={form.field('eventType')}
            label={t.event}
            hint={t.eventHint}
            maxLength={60}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Form>
    </Section>
  );
}

function requestOf({ type, seconds, target, id, eventType, listId, change }: Values): SimulationCreate {
  if (type === 'advance_clock') return { type, parameters: { seconds: Number(seconds) } };
  if (type === 'document_expiry') return { type, target: { type: target, id: id.trim() } };
  if (type === 'list_update_hit')
    return {
      type,
      target: { type: 'application', id: id.trim() },
      ...(listId.trim() !== '' && { parameters: { listId: listId.trim() } }),
    };
  if (type === 'registry_change')
    return { type, target: { type: 'business', id: id.trim() }, parameters: { registryChange: change } };
  if (type === 'power_expiry') return { type, target: { type: 'power', id: id.trim() } };
  return {
    type,
    ...(id.trim() !== '' && { target: { type: 'funds_recovery' as const, id: id.trim() } }),
    ...(eventType.trim() !== '' && { parameters: { eventType: eventType.trim() } }),
  };
}
