/**
 * Defines the sections of the settings. Used by settings-page.tsx. A member that is not listed cannot be edited here;
 * one that weakens protection must say so.
 */
import type { Schemas } from '../../core/api.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { asText, kindsIn, nameOf, riskOptions } from './kinds.tsx';
import { profileKind } from './profile-field.tsx';
import { emptyParts, RecordsField } from '../../ui/records-field.tsx';
import { type Kind, membersOf, pick, type Section } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';
import { dropped, limitRaised, lowered, opened, raised, uncovered } from './weakening.ts';

/** Sections other than the decision policy, which has its own file. */
export const branding = (t: SettingsWords): Section<Schemas['BrandingSettings']> => {
  const { text, colour, choice } = kindsIn(t);
  const w = t.sections.branding;
  const of = membersOf<Schemas['BrandingSettings']>('/branding');
  return {
    key: 'branding',
    title: w.title,
    explanation: w.explanation,
    draftOf: (settings) => settings.branding,
    patchOf: (draft, names) => ({ branding: pick(draft, names) }),
    members: [
      of('displayName', text(w.displayName)),
      of('primaryColor', colour(w.primaryColor, w.colourHint)),
      of('supportEmail', text(w.supportEmail, { type: 'email' })),
      of(
        'locale',
        choice(w.locale, [
          ['en', w.en],
          ['pt-BR', w.pt],
          ['es', w.es],
        ]),
      ),
      of('logoDocumentId', text(w.logo, { hint: w.logoHint })),
    ],
  };
};

export const ownership = (t: SettingsWords): Section<Schemas['OwnershipSettings']> => {
  const { number, choice } = kindsIn(t);
  const w = t.sections.ownership;
  const of = membersOf<Schemas['OwnershipSettings']>('/ownership');
  const risks = riskOptions(t);
  const lowerFor: Kind<Schemas['OwnershipException'][]> = {
    label: w.lowerFor,
    missing: emptyParts,
    items: (rows) => rows.map(({ riskLevel, percent }) => w.item(percent, nameOf(risks, riskLevel))),
    control: (field) => (
      <RecordsField<Schemas['OwnershipException']>
        field={field}
        blank={{ riskLevel: 'high', percent: Number.NaN }}
        words={{
          label: w.lowerFor,
          add: w.add,
          name: w.row,
          remove: w.remove,
          removeShort: t.sections.removeShort,
        }}
        row={(part) => (
          <>
            <SelectField field={part('riskLevel')} label={w.riskLevel} options={risks} />
            <TextField field={asText(part('percent'))} label={w.percent} type="number" step="any" />
          </>
        )}
      />
    ),
  };
  return {
    key: 'ownership',
    title: w.title,
    explanation: w.explanation,
    draftOf: (settings) => settings.ownership,
    patchOf: (draft, names) => ({ ownership: pick(draft, names) }),
    members: [
      of('percent', number(w.percent, { step: 'any' })),
      of(
        'comparator',
        choice(w.comparator, [
          ['gte', w.gte],
          ['gt', w.gt],
        ]),
      ),
      of('lowerFor', lowerFor),
    ],
  };
};

/** Omits the one number that the profile has replaced. */
type Screening = Omit<Schemas['ScreeningSettings'], 'threshold'>;

export const screening = (t: SettingsWords): Section<Screening> => {
  const { flag, lines } = kindsIn(t);
  const w = t.sections.screening;
  const of = membersOf<Screening>('/screening');
  return {
    key: 'screening',
    title: w.title,
    explanation: w.explanation,
    draftOf: ({ screening: { threshold: _, ...rest } }) => rest,
    patchOf: (draft, names) => ({ screening: pick(draft, names) }),
    members: [
      of('profile', profileKind(w)),
      of('staleBlocksApproval', flag(w.stale, w.staleHint)),
      of('defaultLists', lines(w.lists, { hint: w.listsHint })),
    ],
  };
};

export const retention = (t: SettingsWords): Section<Schemas['RetentionSettings']> => {
  const { number } = kindsIn(t);
  const w = t.sections.retention;
  const of = membersOf<Schemas['RetentionSettings']>('/retention');
  return {
    key: 'retention',
    title: w.title,
    explanation: w.explanation,
    draftOf: (settings) => settings.retention,
    patchOf: (draft, names) => ({ retention: pick(draft, names) }),
    members: [
      of('customerYears', number(w.customerYears, { weakens: lowered })),
      of('rejectedYears', number(w.rejectedYears, { weakens: lowered })),
      of('biometricDays', number(w.biometricDays, { hint: w.biometricHint, weakens: raised })),
      of('auditYears', number(w.auditYears, { hint: w.auditHint, weakens: lowered })),
    ],
  };
};

/** Omits a member that is always false. */
type SignIn = Omit<Schemas['SecuritySettings'], 'allowPlatformImpersonation'>;

export const security = (t: SettingsWords): Section<SignIn> => {
  const { number, flag, limit, lines } = kindsIn(t);
  const w = t.sections.security;
  const of = membersOf<SignIn>('/security');
  return {
    key: 'security',
    title: w.title,
    explanation: w.explanation,
    draftOf: ({ security: { allowPlatformImpersonation: _, ...rest } }) => rest,
    patchOf: (draft, names) => ({ security: pick(draft, names) }),
    members: [
      of('mfaRequired', flag(w.mfaRequired, w.mfaHint, dropped)),
      of('passwordMinLength', number(w.passwordMinLength, { weakens: lowered })),
      of('sessionHours', number(w.sessionHours, { weakens: raised })),
      of('idleMinutes', number(w.idleMinutes, { weakens: raised })),
      of('inactivityDays', limit(w.inactivityDays, { hint: w.emptyNever, empty: w.never, weakens: limitRaised })),
      of('allowedEmailDomains', lines(w.allowedEmailDomains, { hint: w.domainsHint, empty: w.any, weakens: opened })),
    ],
  };
};

interface Queues {
  readonly queues: Schemas['CaseQueue'][];
}

export const queues = (t: SettingsWords): Section<Queues> => {
  const w = t.sections.queues;
  const kind: Kind<Queues['queues']> = {
    label: w.label,
    missing: emptyParts,
    items: (rows) => rows.map(({ key, name, slaHours }) => w.item(name, key, slaHours)),
    clean: (rows) => rows.map((row) => ({ ...row, key: row.key.trim(), name: row.name.trim() })),
    control: (field) => (
      <RecordsField
        field={field}
        blank={{ key: '', name: '', slaHours: Number.NaN }}
        words={{
          label: w.label,
          add: w.add,
          name: w.row,
          remove: w.remove,
          removeShort: t.sections.removeShort,
        }}
        row={(part) => (
          <>
            <TextField field={part('key')} label={w.key} autoComplete="off" spellCheck={false} />
            <TextField field={part('name')} label={w.name} autoComplete="off" />
            <TextField field={asText(part('slaHours'))} label={w.slaHours} type="number" step={1} />
          </>
        )}
      />
    ),
  };
  return {
    key: 'queues',
    title: w.title,
    explanation: w.explanation,
    draftOf: (settings) => ({ queues: settings.queues }),
    patchOf: (draft) => ({ queues: draft.queues }),
    members: [membersOf<Queues>('')('queues', kind)],
  };
};

interface ActTypes {
  readonly customActTypes: Schemas['CustomActType'][];
}

export const customActTypes = (t: SettingsWords): Section<ActTypes> => {
  const w = t.sections.customActTypes;
  const kind: Kind<ActTypes['customActTypes']> = {
    label: w.label,
    missing: emptyParts,
    items: (rows) => rows.map(({ key, label }) => `${label} (${key})`),
    clean: (rows) => rows.map(({ key, label }) => ({ key: key.trim(), label: label.trim() })),
    control: (field) => (
      <RecordsField
        field={field}
        blank={{ key: '', label: '' }}
        words={{
          label: w.label,
          add: w.add,
          name: w.row,
          remove: w.remove,
          removeShort: t.sections.removeShort,
        }}
        row={(part) => (
          <>
            <TextField field={part('key')} label={w.key} autoComplete="off" spellCheck={false} />
            <TextField field={part('label')} label={w.name} autoComplete="off" />
          </>
        )}
      />
    ),
  };
  return {
    key: 'customActTypes',
    title: w.title,
    explanation: w.explanation,
    draftOf: (settings) => ({ customActTypes: settings.customActTypes }),
    patchOf: (draft) => ({ customActTypes: draft.customActTypes }),
    members: [membersOf<ActTypes>('')('customActTypes', kind)],
  };
};

export const fundsRecovery = (t: SettingsWords): Section<Schemas['FundsRecoverySettings']> => {
  const w = t.sections.fundsRecovery;
  const of = membersOf<Schemas['FundsRecoverySettings']>('/fundsRecovery');
  return {
    key: 'fundsRecovery',
    title: w.title,
    explanation: w.explanation,
    draftOf: (settings) => settings.fundsRecovery,
    patchOf: (draft, names) => ({ fundsRecovery: pick(draft, names) }),
    members: [
      of(
        'rawPayload',
        kindsIn(t).choice(
          w.rawPayload,
          [
            ['full', w.full],
            ['masked', w.masked],
          ],
          uncovered,
        ),
      ),
      of('receivesReports', kindsIn(t).flag(w.receivesReports, w.receivesReportsHint)),
      of('deadlineNoticeHours', kindsIn(t).numbers(w.deadlineNoticeHours, w.deadlineNoticeHoursHint)),
    ],
  };
};
