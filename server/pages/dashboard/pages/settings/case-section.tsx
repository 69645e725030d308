import type { Schemas } from '../../core/api.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { asText, kindsIn, nameOf } from './kinds.tsx';
import { emptyParts, RecordsField } from './records-field.tsx';
import { type Kind, membersOf, type Section } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';

type Rules = Schemas['CaseSettings'];
type CaseType = Schemas['CaseTypeFilter'];

/** An item of a checklist with the type of case that it belongs to, because a form has rows. */
interface ItemRow {
  readonly type: CaseType;
  readonly key: string;
  readonly label: string;
  readonly required: 'yes' | 'no';
}

/** The rules of cases as the form edits them. */
interface CaseDraft {
  readonly checklists: ItemRow[];
  readonly qualityReviews: { readonly type: Exclude<CaseType, 'quality_review'>; readonly percent: number }[];
  readonly maxOpenPerMember: Rules['maxOpenPerMember'];
}

function draftOf({ checklists, qualityReviews, maxOpenPerMember }: Rules): CaseDraft {
  return {
    checklists: checklists.flatMap(({ type, items }) =>
      items.map(
        ({ key, label, required }) =>
          ({
            type,
            key,
            label,
            required: required ? 'yes' : 'no',
          }) as const,
      ),
    ),
    qualityReviews: qualityReviews.flatMap(({ type, percent }) =>
      type === 'quality_review' ? [] : [{ type, percent }],
    ),
    maxOpenPerMember,
  };
}

function checklistsOf(rows: readonly ItemRow[]): Schemas['CaseChecklistInput'][] {
  return [...new Set(rows.map(({ type }) => type))].map((type) => ({
    type,
    items: rows
      .filter((row) => row.type === type)
      .map(({ key, label, required }) => ({ key, label, required: required === 'yes' })),
  }));
}

/** Types of cases whose resolutions are looked at again. */
const SAMPLED = ['application_review', 'screening_hit', 'monitoring_alert', 'risk_increase', 'ad_hoc'] as const;

/** Section of the rules by which cases are worked on. */
export const cases = (t: SettingsWords): Section<CaseDraft> => {
  const w = t.sections.cases;
  const of = membersOf<CaseDraft>('/cases');
  const sampled = SAMPLED.map((type) => [type, w.types[type]] as const);
  const types = [...sampled, ['quality_review', w.types.quality_review] as const];
  const checklists: Kind<CaseDraft['checklists']> = {
    label: w.checklists,
    missing: emptyParts,
    items: (rows) => rows.map(({ type, label }) => `${nameOf(types, type)}: ${label}`),
    clean: (rows) => rows.map((row) => ({ ...row, key: row.key.trim(), label: row.label.trim() })),
    control: (field) => (
      <RecordsField<ItemRow>
        field={field}
        blank={{
          type: 'ad_hoc',
          key: '',
          label: '',
          required: 'yes',
        }}
        words={{
          label: w.checklists,
          add: w.addItem,
          name: w.item,
          remove: w.removeItem,
          removeShort: t.sections.removeShort,
        }}
        row={(part) => (
          <>
            <SelectField field={part('type')} label={w.type} options={types} />
            <TextField field={part('key')} label={w.key} autoComplete="off" spellCheck={false} />
            <TextField field={part('label')} label={w.label} autoComplete="off" />
            <SelectField
              field={part('required')}
              label={w.required}
              options={[
                ['yes', t.yes],
                ['no', t.no],
              ]}
            />
          </>
        )}
      />
    ),
  };
  const qualityReviews: Kind<CaseDraft['qualityReviews']> = {
    label: w.qualityReviews,
    missing: emptyParts,
    items: (rows) => rows.map(({ type, percent }) => `${nameOf(types, type)}: ${percent} %`),
    control: (field) => (
      <RecordsField<CaseDraft['qualityReviews'][number]>
        field={field}
        blank={{ type: 'ad_hoc', percent: Number.NaN }}
        words={{
          label: w.qualityReviews,
          add: w.addShare,
          name: w.share,
          remove: w.removeShare,
          removeShort: t.sections.removeShort,
        }}
        row={(part) => (
          <>
            <SelectField field={part('type')} label={w.type} options={sampled} />
            <TextField field={asText(part('percent'))} label={w.percent} type="number" step={1} />
          </>
        )}
      />
    ),
  };
  return {
    key: 'cases',
    title: w.title,
    explanation: w.explanation,
    toCome: null,
    draftOf: (settings) => draftOf(settings.cases),
    patchOf: (draft, names) => ({
      cases: {
        ...(names.includes('checklists') && { checklists: checklistsOf(draft.checklists) }),
        ...(names.includes('qualityReviews') && { qualityReviews: [...draft.qualityReviews] }),
        ...(names.includes('maxOpenPerMember') && { maxOpenPerMember: draft.maxOpenPerMember }),
      },
    }),
    members: [
      of('checklists', checklists),
      of('qualityReviews', qualityReviews),
      of('maxOpenPerMember', kindsIn(t).limit(w.maxOpen, { hint: w.maxOpenHint, empty: w.anyNumber })),
    ],
  };
};
