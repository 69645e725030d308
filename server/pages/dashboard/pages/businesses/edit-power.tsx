/**
 * The dialog that drafts a power or changes a draft: its document, its groups and its rules. Opened by powers.tsx.
 * Somebody else confirms the draft; whoever changes it counts as an author.
 */
import { useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { answerOf, type FieldError } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckboxGroup, SelectField, TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { RecordsField } from '../../ui/records-field.tsx';
import { announce } from '../../ui/toasts.tsx';
import { matching, useBusinessChanged } from '../applications/changed.ts';
import type { Subject } from '../applications/subject.ts';
import { nameOf, useNames } from '../applications/words.ts';
import { useBusinessNames } from './business-words.ts';
import { useParties } from './parties.ts';
import { usePowerFormWords } from './power-form-words.ts';
import {
  BLANK,
  BLANK_MEMBER,
  BLANK_RULE,
  type MemberRow,
  powerOf,
  type PowerValues,
  type RuleRow,
  valuesOf,
} from './power-rows.ts';
import { RuleFields } from './rule-fields.tsx';

type Power = Schemas['Power'];

const TYPES = [
  'articles',
  'bylaws',
  'election_minutes',
  'board_resolution',
  'power_of_attorney',
  'court_order',
] as const satisfies readonly Schemas['PowerType'][];

interface Props {
  readonly subject: Subject;
  /** The draft; null for a new one. */
  readonly power: Power | null;
  /** The other powers of the company. */
  readonly others: readonly Power[];
  readonly close: () => void;
}

/** Returns what is missing in the rows, beside what the service finds. */
function faultsOf({ members, rules }: PowerValues, t: ReturnType<typeof usePowerFormWords>): FieldError[] {
  const fault = (pointer: string, message: string): FieldError => ({ pointer, code: message, message });
  return [
    ...members.flatMap(({ group, partyKey }, at) => [
      ...(group.trim() === '' ? [fault(`/groups/${at}/group`, t.noGroup)] : []),
      ...(partyKey === '' ? [fault(`/groups/${at}/partyKey`, t.noPerson)] : []),
    ]),
    ...rules.flatMap(({ formula, howMany, actTypes }, at) => [
      ...(formula.length === 0 && howMany !== 'recorded' ? [fault(`/rules/${at}/formula`, t.noSigner)] : []),
      ...(actTypes.length === 0 ? [fault(`/rules/${at}/actTypes`, t.noAct)] : []),
    ]),
  ];
}

export function EditPower({ subject, power: given, others, close }: Props) {
  const t = usePowerFormWords();
  const { documentTypes } = useNames();
  const { powerTypes } = useBusinessNames();
  const keyFor = useIdempotencyKey();
  const changed = useBusinessChanged();
  const persons = useParties(subject.id).filter(({ kind }) => kind === 'person');
  const settings = api.useQuery('get', '/v1/settings', { params: { query: { section: 'customActTypes' } } });
  // The version that was shown when the dialog was opened, from which the values come.
  const [power] = useState(given);
  const businessId = subject.id;
  const form = useForm({
    initial: power === null ? BLANK : valuesOf(power),
    required: t.missing,
    check: (values) => faultsOf(values, t),
    messages: Object.fromEntries([t.noGroup, t.noPerson, t.noSigner, t.noAct].map((text) => [text, text])),
    pointers: { members: '/groups' },
    submit: async (values) => {
      const body = powerOf(values);
      if (power === null) {
        const params = { path: { businessId }, header: { 'Idempotency-Key': keyFor({ businessId, body }) } };
        await answerOf(client.POST('/v1/businesses/{businessId}/powers', { params, body }));
      } else {
        const params = { path: { businessId, powerId: power.id }, header: matching(power) };
        const headers = { 'Content-Type': 'application/merge-patch+json' };
        await answerOf(client.PATCH('/v1/businesses/{businessId}/powers/{powerId}', { params, headers, body }));
      }
      await changed();
      announce(power === null ? t.created : t.edited);
      close();
    },
  });
  const { type, members } = form.values;
  const isAttorney = type === 'power_of_attorney';
  const files = (subject.documents ?? []).filter(({ status }) => status === 'uploaded' || status === 'accepted');
  const named = others.map((one) => [one.id, `${nameOf(powerTypes, one.type)}, ${one.validFrom}`] as const);
  const groups = [...new Set(members.map(({ group }) => group.trim()))].filter((key) => key !== '');
  return (
    <Dialog title={power === null ? t.titles.create : t.titles.edit} onClose={close} wide>
      <p className="muted">{t.text}</p>
      <Form form={form} action={t.save} cancel={close} sticky>
        <div className="form-grid">
          <SelectField
            field={form.field('type')}
            label={t.type}
            options={TYPES.map((one) => [one, nameOf(powerTypes, one)])}
          />
          <SelectField
            field={form.field('documentId')}
            label={t.file}
            options={[
              ['', t.noFile],
              ...files.map((file) => [file.id, `${nameOf(documentTypes, file.type)}: ${file.fileName}`] as const),
            ]}
          />
          <TextField field={form.field('validFrom')} type="date" label={t.from} />
          <TextField field={form.field('validUntil')} type="date" label={t.until} optional />
          <TextField field={form.field('registryOffice')} label={t.office} optional maxLength={120} />
          <TextField field={form.field('registryNumber')} label={t.number} optional maxLength={120} />
          <TextField field={form.field('registeredOn')} type="date" label={t.registered} optional />
          <SelectField field={form.field('supersedes')} label={t.supersedes} options={[['', t.nothing], ...named]} />
          <SelectField
            field={{ ...form.field('grantorInstrumentId'), closed: !isAttorney }}
            label={t.grantor}
            options={[['', t.nothing], ...named]}
          />
          <TextField
            field={{ ...form.field('grantedOn'), closed: !isAttorney }}
            type="date"
            label={t.grantedOn}
            optional
          />
        </div>
        <CheckboxGroup
          field={{ ...form.field('grantedBy'), closed: !isAttorney }}
          label={t.grantedBy}
          options={persons.map(({ key, name }) => ({ value: key, label: name }))}
        />
        <RecordsField<MemberRow>
          field={form.field('members')}
          words={t.members}
          blank={BLANK_MEMBER}
          row={(part) => (
            <>
              <TextField field={part('group')} label={t.group} hint={t.groupHint} maxLength={40} spellCheck={false} />
              <SelectField
                field={part('partyKey')}
                label={t.person}
                options={[['', t.choose], ...persons.map(({ key, name }) => [key, name] as const)]}
              />
              <TextField field={part('termFrom')} type="date" label={t.termFrom} optional />
              <TextField field={part('termUntil')} type="date" label={t.termUntil} optional />
            </>
          )}
        />
        <RecordsField<RuleRow>
          field={form.field('rules')}
          words={t.rules}
          blank={BLANK_RULE}
          row={(part) => (
            <RuleFields
              part={part}
              persons={persons}
              groups={groups}
              customActTypes={settings.data?.customActTypes ?? []}
            />
          )}
        />
      </Form>
    </Dialog>
  );
}
