import type { Schemas } from '../../core/api.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { nameOf } from './kinds.tsx';
import { emptyParts, RecordsField } from '../../ui/records-field.tsx';
import { type Kind, membersOf, type Section } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';

type Fact = Schemas['RiskOwnFact'];

interface Draft {
  readonly facts: Fact[];
}

/** The section of risk: the facts of the tenant's own that risk models may refer to. */
export const risk = (t: SettingsWords): Section<Draft> => {
  const w = t.sections.risk;
  return {
    key: 'risk',
    title: w.title,
    explanation: w.explanation,
    draftOf: (settings) => ({ facts: settings.risk.facts }),
    patchOf: (draft) => ({ risk: { facts: draft.facts } }),
    members: [membersOf<Draft>('/risk')('facts', factsKind(t))],
  };
};

function factsKind(t: SettingsWords): Kind<Fact[]> {
  const w = t.sections.risk;
  const types: readonly (readonly [Fact['type'], string])[] = [
    ['string', w.types.string],
    ['number', w.types.number],
    ['boolean', w.types.boolean],
    ['date', w.types.date],
  ];
  return {
    label: w.facts,
    missing: emptyParts,
    items: (rows) => rows.map(({ name, type }) => w.item(name, nameOf(types, type))),
    clean: (rows) => rows.map((row) => ({ ...row, name: row.name.trim(), description: row.description.trim() })),
    control: (field) => (
      <RecordsField<Fact>
        field={field}
        blank={{ name: '', type: 'string', description: '' }}
        words={{
          label: w.facts,
          add: w.add,
          name: w.row,
          remove: w.remove,
          removeShort: t.sections.removeShort,
        }}
        row={(part) => (
          <>
            <TextField field={part('name')} label={w.name} autoComplete="off" spellCheck={false} maxLength={40} />
            <SelectField field={part('type')} label={w.type} options={types} />
            <TextField field={part('description')} label={w.description} autoComplete="off" maxLength={200} />
          </>
        )}
      />
    ),
  };
}
