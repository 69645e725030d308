/**
 * All fields of an application. Used by the page of a new application and by the editing in applicant.tsx. What the
 * level requires is only marked here; the service checks it on submission.
 */
import { type ReactNode } from 'react';
import { inLanguages, useWords } from '../../../core/language.ts';
import { Checkbox, CheckboxGroup, RadioGroup, SelectField, TextArea, TextField } from '../../../ui/fields.tsx';
import type { FieldState } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { keysOf, optionsOf, useNames } from '../words.ts';
import { useCountries } from './countries.ts';
import { fieldWords } from './field-words.ts';
import type { Values } from './values.ts';

export interface ApplicationForm {
  readonly values: Values;
  readonly field: <Name extends keyof Values>(name: Name) => FieldState<Values[Name]>;
}

/** All fields of an application, for creating and editing. */
export function ApplicationFields({ form }: { readonly form: ApplicationForm }) {
  const t = useWords(fieldWords);
  const {
    field,
    values: { level },
  } = form;
  const names = useNames();
  return (
    <>
      <Part title={t.request}>
        <SelectField
          field={field('purpose')}
          label={t.purpose}
          options={[['', t.choose], ...optionsOf(names.purposes)]}
        />
        <SelectField field={field('channel')} label={t.channel} options={optionsOf(names.channels)} />
        <div className="whole">
          <RadioGroup
            field={field('level')}
            label={t.level}
            options={keysOf(names.levels).map((value) => ({
              value,
              label: names.levels[value],
              hint: t.levels[value],
            }))}
          />
        </div>
        <TextField
          field={field('externalId')}
          label={t.externalId}
          hint={t.externalIdHint}
          optional
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          field={field('productCodes')}
          label={t.products}
          hint={t.productsHint}
          optional
          autoComplete="off"
          spellCheck={false}
        />
      </Part>
      <Person form={form} />
      <Address form={form} needed={level !== 'basic'} />
      <Money form={form} needed={level === 'enhanced'} />
    </>
  );
}

const marks = inLanguages({ en: { needed: 'needed at this level' }, pt: { needed: 'necessário neste nível' } });

/** Marks the fields that the chosen level requires. All others are optional. */
function useMark() {
  const { needed } = useWords(marks);
  return (label: string, isNeeded: boolean) =>
    isNeeded ? { label: `${label} (${needed})` } : { label, optional: true };
}

function Part({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}) {
  return (
    <fieldset className="form-part">
      <legend>{title}</legend>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <div className="form-grid">{children}</div>
    </fieldset>
  );
}

function Person({
  form: {
    field,
    values: { taxIdType },
  },
}: {
  readonly form: ApplicationForm;
}) {
  const t = useWords(fieldWords);
  const names = useNames();
  const countries = useCountries();
  const mark = useMark();
  return (
    <Part title={t.person}>
      <div className="whole">
        <TextField
          field={field('fullName')}
          label={t.fullName}
          hint={t.fullNameHint}
          maxLength={200}
          autoComplete="off"
        />
      </div>
      <TextField field={field('dateOfBirth')} type="date" {...mark(t.dateOfBirth, true)} min="1900-01-01" />
      <SelectField field={field('taxIdType')} label={t.taxIdType} options={optionsOf(names.taxIdTypes)} />
      <TextField
        field={field('taxId')}
        {...mark(t.taxId, true)}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        inputMode={taxIdType === 'cpf' ? 'numeric' : 'text'}
      />
      {taxIdType === 'other' && (
        <SelectField field={field('taxIdCountry')} label={t.taxIdCountry} options={countries} />
      )}
      <SelectField field={field('nationality')} label={t.nationality} optional options={countries} />
      <SelectField field={field('countryOfBirth')} label={t.countryOfBirth} optional options={countries} />
      <TextField field={field('socialName')} label={t.socialName} optional maxLength={200} autoComplete="off" />
      <TextField field={field('motherName')} label={t.motherName} optional maxLength={200} autoComplete="off" />
      <TextField
        field={field('email')}
        type="email"
        label={t.email}
        optional
        maxLength={254}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        field={field('phone')}
        type="tel"
        label={t.phone}
        optional
        placeholder="+5511912345678"
        maxLength={24}
        autoComplete="off"
      />
    </Part>
  );
}

function Address({ form: { field }, needed }: { readonly form: ApplicationForm; readonly needed: boolean }) {
  const t = useWords(fieldWords);
  const countries = useCountries();
  const mark = useMark();
  return (
    <Part title={t.addressPart}>
      <SelectField field={field('country')} label={t.country} options={countries.slice(1)} />
      <TextField field={field('postalCode')} label={t.postalCode} optional maxLength={16} autoComplete="off" />
      <div className="whole">
        <TextField field={field('address')} {...mark(t.address, needed)} maxLength={160} autoComplete="off" />
      </div>
      <TextField field={field('number')} label={t.number} optional maxLength={20} autoComplete="off" />
      <TextField field={field('line2')} label={t.line2} optional maxLength={160} autoComplete="off" />
      <TextField field={field('district')} label={t.district} optional maxLength={160} autoComplete="off" />
      <TextField field={field('city')} {...mark(t.city, needed)} maxLength={160} autoComplete="off" />
      <TextField field={field('state')} label={t.state} optional placeholder="SP" maxLength={60} autoComplete="off" />
    </Part>
  );
}

function Money({
  form: {
    field,
    values: { isPep },
  },
  needed,
}: {
  readonly form: ApplicationForm;
  readonly needed: boolean;
}) {
  const t = useWords(fieldWords);
  const names = useNames();
  const mark = useMark();
  return (
    <Part title={t.means}>
      <TextField field={field('occupation')} label={t.occupation} optional maxLength={120} autoComplete="off" />
      <TextField
        field={field('monthlyIncome')}
        {...mark(t.monthlyIncome, needed)}
        inputMode="decimal"
        placeholder="8500,00"
        maxLength={24}
        autoComplete="off"
      />
      <TextField
        field={field('incomeCurrency')}
        label={t.currency}
        hint={t.currencyHint}
        maxLength={3}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="whole">
        <CheckboxGroup
          field={field('sourceOfFunds')}
          label={mark(t.sourceOfFunds, needed).label}
          options={keysOf(names.sources).map((value) => ({ value, label: names.sources[value] }))}
        />
      </div>
      <SelectField
        field={field('isPep')}
        label={t.isPep}
        hint={t.isPepHint}
        options={[
          ['', t.notAsked],
          ['no', t.no],
          ['yes', t.yes],
        ]}
      />
      {isPep === 'yes' && (
        <SelectField field={field('pepRelationship')} label={t.relationship} options={optionsOf(names.relationships)} />
      )}
      {isPep === 'yes' && (
        <TextField field={field('pepDeclaration')} label={t.role} optional maxLength={160} autoComplete="off" />
      )}
      <div className="whole">
        <TextArea
          field={field('taxResidencies')}
          label={t.taxResidencies}
          hint={t.taxResidenciesHint}
          optional
          rows={2}
        />
      </div>
      <div className="whole">
        <Checkbox field={field('residentAbroad')} label={t.residentAbroad} />
      </div>
    </Part>
  );
}

/** Shows missing documents at the place in the form that mentions them. */
export function DocumentsNote({ field: { id, messages } }: { readonly field: FieldState<string> }) {
  const t = useWords(fieldWords);
  return (
    <div className="stack">
      <p className="hint">{t.documentsHint}</p>
      {messages.length > 0 && (
        <Notice tone="error" role="alert">
          <span id={id}>{messages.join(' ')}</span>
        </Notice>
      )}
    </div>
  );
}
