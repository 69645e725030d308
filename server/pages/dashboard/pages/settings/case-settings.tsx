import type { Schemas } from '../../core/api.ts';
import { Checkbox, SelectField, TextField } from '../../ui/fields.tsx';
import { asText, kindsIn, nameOf } from './kinds.tsx';
import { emptyParts, RecordsField } from '../../ui/records-field.tsx';
import { type Kind, membersOf, type Section } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';

type Type = Schemas['CaseTypeFilter'];
type ReviewedType = Schemas['CaseTypeInput'];

/** An item of a checklist together with the type of case that it belongs to, because the form is one list of rows. */
interface ChecklistRow {
  readonly type: Type;
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
}

interface Share {
  readonly type: ReviewedType;
  readonly percent: number;
}

interface Draft {
  readonly checklists: ChecklistRow[];
  readonly qualityReviews: Share[];
  readonly maxOpenPerMember: number | null;
}

/** The section of cases: checklists by type, the shares that are reviewed again, and the limit of `takeNextCase`. */
export const cases = (t: SettingsWords): Section<Draft> => {
  const w = t.sections.cases;
  const of = membersOf<Draft>('/cases');
  const { limit } = kindsIn(t);
  return {
    key: 'cases',
    title: w.title,
    explanation: w.explanation,
    draftOf: ({ cases: { checklists, qualityReviews, maxOpenPerMember } }) => ({
      checklists: checklists.flatMap(({ type, items }) => items.map((item) => ({ type, ...item }))),
      qualityReviews: qualityReviews.flatMap(({ type, percent }) =>
        type === 'quality_review' ? [] : [{ type, percent }],
      ),
      maxOpenPerMember,
    }),
    patchOf: (draft, names) => ({
      cases: {
        ...(names.includes('checklists') && { checklists: byType(draft.checklists) }),
        ...(names.includes('qualityReviews') && { qualityReviews: [...draft.qualityReviews] }),
        ...(names.includes('maxOpenPerMember') && { maxOpenPerMember: draft.maxOpenPerMember }),
      },
    }),
    members: [
      of('checklists', checklistKind(t)),
      of('qualityReviews', shareKind(t)),
      of('maxOpenPerMember', limit(w.maxOpen, { hint: w.maxOpenHint, empty: w.anyNumber })),
    ],
  };
};

function byType(rows: readonly ChecklistRow[]): Schemas['CaseChecklistInput'][] {
  const types = [...new Set(rows.map(({ type }) => type))];
  return types.map((type) => ({
    type,
    items: rows.filter((row) => row.type === type).map(({ key, label, required }) => ({ key, label, required })),
  }));
}

function checklistKind(t: SettingsWords): Kind<ChecklistRow[]> {
  const w = t.sections.cases;
  const types: readonly (readonly [Type, string])[] = [...reviewedTypes(t), ['quality_review', w.types.quality_review]];
  return {
    label: w.checklists,
    missing: emptyParts,
    items: (rows) => rows.map(({ type, label }) => w.item(nameOf(types, type), label)),
    clean: (rows) => rows.map((row) => ({ ...row, key: row.key.trim(), label: row.label.trim() })),
    control: (field) => (
      <RecordsField<ChecklistRow>
        field={field}
        blank={{
          type: 'ad_hoc',
          key: '',
          label: '',
          required: true,
        }}
        words={{
          label: w.checklists,
          add: w.addItem,
          name: w.itemRow,
          remove: w.removeItem,
          removeShort: t.sections.removeShort,
        }}
        row={(part) => (
          <>
            <SelectField field={part('type')} label={w.type} options={types} />
            <TextField field={part('key')} label={w.key} autoComplete="off" spellCheck={false} />
            <TextField field={part('label')} label={w.label} autoComplete="off" maxLength={120} />
            <Checkbox field={part('required')} label={w.required} />
          </>
        )}
      />
    ),
  };
}

function shareKind(t: SettingsWords): Kind<Share[]> {
  const w = t.sections.cases;
  const types = reviewedTypes(t);
  return {
    label: w.shares,
    missing: emptyParts,
    items: (rows) => rows.map(({ type, percent }) => w.share(nameOf(types, type), percent)),
    control: (field) => (
      <RecordsField<Share>
        field={field}
        blank={{ type: 'monitoring_alert', percent: Number.NaN }}
        words={{
          label: w.shares,
          add: w.addShare,
          name: w.shareRow,
          remove: w.removeShare,
          removeShort: t.sections.removeShort,
        }}
        row={(part) => (
          <>
            <SelectField field={part('type')} label={w.type} options={types} />
            <TextField field={asText(part('percent'))} label={w.percent} type="number" step={1} />
          </>
        )}
      />
    ),
  };
}

function reviewedTypes(t: SettingsWords): readonly (readonly [ReviewedType, string])[] {
  const { types } = t.sections.cases;
  return [
    ['application_review', types.application_review],
    ['business_review', types.business_review],
    ['screening_hit', types.screening_hit],
    ['monitoring_alert', types.monitoring_alert],
    ['risk_increase', types.risk_increase],
    ['ad_hoc', types.ad_hoc],
  ];
}
