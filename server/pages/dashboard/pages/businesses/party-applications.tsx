/**
 * The dialog that begins applications for the people of a company, who must be verified. Opened by owners.tsx. The
 * requirements about owners and representatives follow from these applications.
 */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckboxGroup, SelectField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useBusinessChanged } from '../applications/changed.ts';
import { optionsOf, TONES, useNames } from '../applications/words.ts';

const words = inLanguages({
  en: {
    title: 'Applications of the people',
    text: 'Each person gets an application of their own, in which they are verified and screened.',
    people: 'People',
    level: 'Level',
    begin: 'Begin',
    done: (count: number) => (count === 1 ? '1 application is linked.' : `${count} applications are linked.`),
    linked: 'These people have an application.',
    missing: { parties: 'Choose at least one.' },
  },
  pt: {
    title: 'Solicitações das pessoas',
    text: 'Cada pessoa recebe uma solicitação própria, em que é verificada e consultada em listas.',
    people: 'Pessoas',
    level: 'Nível',
    begin: 'Iniciar',
    done: (count: number) => (count === 1 ? '1 solicitação está ligada.' : `${count} solicitações estão ligadas.`),
    linked: 'Estas pessoas têm uma solicitação.',
    missing: { parties: 'Escolha ao menos uma.' },
  },
});

interface Props {
  readonly businessId: string;
  readonly parties: readonly Schemas['OwnershipParty'][];
  readonly close: () => void;
}

export function PartyApplications({ businessId, parties, close }: Props) {
  const t = useWords(words);
  const { levels, statuses } = useNames();
  const keyFor = useIdempotencyKey();
  const changed = useBusinessChanged();
  const [linked, setLinked] = useState<readonly Schemas['PartyApplication'][] | null>(null);
  const persons = parties.filter(({ kind }) => kind === 'person');
  const nameOfParty = (key: string): string => persons.find((person) => person.key === key)?.name ?? key;
  const initial: { readonly parties: readonly string[]; readonly level: Schemas['DiligenceLevel'] } = {
    parties: [],
    level: 'standard',
  };
  const form = useForm({
    initial,
    required: t.missing,
    submit: async ({ parties: keys, level }) => {
      const body = { parties: keys.map((partyKey) => ({ partyKey, fullName: nameOfParty(partyKey) })), level };
      const params = { path: { businessId }, header: { 'Idempotency-Key': keyFor({ businessId, body }) } };
      const call = client.POST('/v1/businesses/{businessId}/parties/applications', { params, body });
      const { items } = await answerOf(call);
      await changed();
      announce(t.done(items.length));
      setLinked(items);
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <p className="muted">{linked === null ? t.text : t.linked}</p>
      {linked === null ? (
        <Form form={form} action={t.begin} cancel={close}>
          <CheckboxGroup
            field={form.field('parties')}
            label={t.people}
            options={persons.map(({ key, name }) => ({ value: key, label: name }))}
          />
          <SelectField field={form.field('level')} label={t.level} options={optionsOf(levels)} />
        </Form>
      ) : (
        <ul>
          {linked.map(({ partyKey, applicationId, status }) => (
            <li key={applicationId}>
              <Link to="/applications/$applicationId" params={{ applicationId }}>
                {nameOfParty(partyKey)}
              </Link>{' '}
              <Badge tone={TONES[status]}>{statuses[status]}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
