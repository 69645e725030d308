/**
 * Shows and edits the data of the applicant. Part of application-page.tsx. If somebody else has changed the application
 * meanwhile, the service refuses and the user can take in those changes without losing their own.
 */
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, codeOf } from '../../core/problem.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { announce } from '../../ui/toasts.tsx';
import { applicationQuery, matching, useChanged } from './changed.ts';
import { type ApplicationForm, ApplicationFields } from './form/application-fields.tsx';
import { useCountryName } from './form/countries.ts';
import { fieldWords } from './form/field-words.ts';
import { patchOf } from './form/request.ts';
import { useApplicationForm } from './form/use-application-form.ts';
import { fieldsOf, type Values, valuesOf } from './form/values.ts';
import { type Application, useNames } from './words.ts';

const words = inLanguages({
  en: {
    edit: 'Edit',
    editing: 'Edit the application',
    save: 'Save',
    saved: 'The changes are saved.',
    nothing: 'Nothing was changed.',
    masked: 'Your role sees this data masked: enough to tell people apart, not who they are.',
    conflict: 'Somebody else changed this application while you were editing. Your changes are still here.',
    again: 'Take in the other changes and keep mine',
    missing: 'Not given',
  },
  pt: {
    edit: 'Editar',
    editing: 'Editar a solicitação',
    save: 'Salvar',
    saved: 'As mudanças foram salvas.',
    nothing: 'Nada foi mudado.',
    masked: 'O seu papel vê estes dados mascarados: o bastante para distinguir pessoas, não para saber quem são.',
    conflict: 'Outra pessoa mudou esta solicitação enquanto você editava. As suas mudanças continuam aqui.',
    again: 'Trazer as outras mudanças e manter as minhas',
    missing: 'Não informado',
  },
});

/** Shows the data of the applicant. */
export function Applicant({
  application,
  editable,
}: {
  readonly application: Application;
  readonly editable: boolean;
}) {
  const t = useWords(words);
  const labels = useWords(fieldWords);
  const edit = editable && (
    <ButtonLink
      small
      to="/applications/$applicationId"
      params={{ applicationId: application.id }}
      search={{ edit: 'fullName' }}
      resetScroll={false}
    >
      {t.edit}
    </ButtonLink>
  );
  return (
    <Section title={labels.person} actions={edit} id="applicant">
      {application.personalDataMasked && <Notice>{t.masked}</Notice>}
      <Facts facts={useFacts(application)} />
    </Section>
  );
}

function useFacts({ applicant, personalDataMasked }: Application): readonly (readonly [string, ReactNode])[] {
  const { missing } = useWords(words);
  const t = useWords(fieldWords);
  const names = useNames();
  const format = useFormat();
  const countryName = useCountryName();
  const { taxId, address, monthlyIncome, pepDeclaration, sourceOfFunds, taxResidencies } = applicant;
  const pepText = ({ isPep, relationship, role }: Schemas['PepDeclaration']): string => {
    if (!isPep) return t.no;
    const relation = relationship === undefined ? null : names.relationships[relationship];
    return [t.yes, relation, role].filter(Boolean).join(' · ');
  };
  const facts: readonly (readonly [string, string | null])[] = [
    [t.fullName, applicant.fullName],
    [t.socialName, applicant.socialName],
    [t.dateOfBirth, applicant.dateOfBirth === null ? null : format.day(applicant.dateOfBirth)],
    [
      taxId === null ? t.taxId : names.taxIdTypes[taxId.type],
      taxId === null
        ? null
        : [taxId.value, taxId.type === 'other' && taxId.country !== null ? countryName(taxId.country) : '']
            .join(' ')
            .trim(),
    ],
    [t.nationality, applicant.nationality === null ? null : countryName(applicant.nationality)],
    [t.countryOfBirth, applicant.countryOfBirth === null ? null : countryName(applicant.countryOfBirth)],
    [t.motherName, applicant.motherName],
    [t.email, applicant.email],
    [t.phone, applicant.phone],
    [t.addressPart, address === null ? null : addressText(address, countryName)],
    [t.occupation, applicant.occupation],
    [t.monthlyIncome, monthlyIncome === null ? null : format.money(monthlyIncome.amount, monthlyIncome.currency)],
    [
      t.sourceOfFunds,
      sourceOfFunds.length === 0 ? null : sourceOfFunds.map((source) => names.sources[source]).join(', '),
    ],
    [t.isPep, pepDeclaration === null ? null : pepText(pepDeclaration)],
    [
      t.taxResidencies,
      taxResidencies.length === 0
        ? null
        : taxResidencies.map(({ country, tin }) => `${countryName(country)} ${tin}`).join('; '),
    ],
    [t.residentAbroad, applicant.residentAbroad ? t.yes : t.no],
  ];
  // Masking omits most members, so "not given" could be wrong.
  return facts.flatMap(([name, value]) =>
    value === null && personalDataMasked ? [] : [[name, value ?? <span className="muted">{missing}</span>] as const],
  );
}

function addressText(address: Schemas['Address'], countryName: (code: string) => string): string {
  const parts = [
    `${address.line1}${address.number === null ? '' : `, ${address.number}`}`,
    address.line2,
    address.district,
    address.city,
    address.state,
    address.postalCode,
    countryName(address.country),
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** Replaces the data by the form, and focuses the field named in the URL. */
export function EditApplication({ application, ...rest }: Pick<EditorProps, 'application' | 'asked' | 'focus'>) {
  const [base, setBase] = useState(() => ({
    application,
    values: valuesOf(application),
    typed: valuesOf(application),
  }));
  return (
    <Editor
      key={base.application.version}
      {...base}
      {...rest}
      rebase={(fresh, typed) => setBase({ application: fresh, values: valuesOf(fresh), typed })}
    />
  );
}

interface EditorProps {
  readonly application: Application;
  /**
   * JSON Pointers of the members that can be corrected while the application waits for the applicant; null for all
   * members of a draft.
   */
  readonly asked: readonly string[] | null;
  /** Values stored by the service. */
  readonly values: Values;
  /** Initial values of the fields. */
  readonly typed: Values;
  readonly focus: keyof Values;
  readonly rebase: (fresh: Application, typed: Values) => void;
}

function Editor({ application, asked, values: stored, typed, focus, rebase }: EditorProps) {
  const t = useWords(words);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const changed = useChanged();
  const [conflict, setConflict] = useState(false);
  const close = () =>
    void navigate({
      to: '/applications/$applicationId',
      params: { applicationId: application.id },
      resetScroll: false,
    });
  const form = useApplicationForm({
    initial: typed,
    submit: async (values) => {
      const body = patchOf(stored, values, asked ?? []);
      if (body === null) {
        announce(t.nothing);
        return close();
      }
      const path = { applicationId: application.id };
      changed(
        await answerOf(
          client.PATCH('/v1/applications/{applicationId}', {
            params: { path, header: matching(application) },
            headers: { 'Content-Type': 'application/merge-patch+json' },
            body,
          }),
        ),
      );
      announce(t.saved);
      close();
    },
    handle: (error) => {
      if (codeOf(error) !== 'version_conflict') return null;
      setConflict(true);
      return true;
    },
  });
  const takeIn = async () => {
    const fresh = await queries.fetchQuery({ ...applicationQuery(application.id), staleTime: 0 });
    const mine = Object.entries(form.values).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(Object.entries(stored).find(([one]) => one === name)?.[1]),
    );
    rebase(fresh, { ...valuesOf(fresh), ...Object.fromEntries(mine) });
  };
  const open = asked?.flatMap(fieldsOf);
  const field: ApplicationForm['field'] = (name) => ({ ...form.field(name), closed: open?.includes(name) === false });
  const { id } = form.field(focus);
  useEffect(() => {
    const field = document.getElementById(id) ?? form.element.current?.querySelector('input');
    field?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
  }, [id, form.element]);
  return (
    <Section title={t.editing} id="edit">
      <Form form={form} action={t.save} cancel={close} sticky>
        {conflict && (
          <Notice tone="warning" role="alert">
            <p>{t.conflict}</p>
            <Button small onClick={() => void takeIn()}>
              {t.again}
            </Button>
          </Notice>
        )}
        <ApplicationFields form={{ ...form, field }} />
      </Form>
    </Section>
  );
}
