/** The fields of one rule of a power: which acts, up to which amount, and who signs. Part of edit-power.tsx. */
import type { Schemas } from '../../core/api.ts';
import { Checkbox, CheckboxGroup, SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import type { RowPart } from '../../ui/records-field.tsx';
import { optionsOf } from '../applications/words.ts';
import { AmountField } from '../settings/amount-field.tsx';
import { usePowerFormWords } from './power-form-words.ts';
import type { RuleRow } from './power-rows.ts';
import { useSigningNames } from './signing-words.ts';

/** What a rule can name. */
export interface Nameable {
  readonly persons: readonly Schemas['OwnershipParty'][];
  /** Keys of the groups of the form. */
  readonly groups: readonly string[];
  readonly customActTypes: readonly Schemas['CustomActType'][];
}

interface Props extends Nameable {
  readonly part: RowPart<RuleRow>;
}

export function RuleFields({ part, persons, groups, customActTypes }: Props) {
  const t = usePowerFormWords();
  const { acts, roles, conditions } = useSigningNames();
  const { value: recorded } = part('recorded');
  const { value: howMany } = part('howMany');
  const counts = optionsOf(t.counts).filter(([count]) => count !== 'recorded' || recorded !== null);
  const own = customActTypes.map(({ key, label }) => ({ value: `custom:${key}`, label }));
  const types = [...optionsOf(acts).map(([value, label]) => ({ value, label })), ...own];
  const signers = [
    ...persons.map(({ key, name }) => ({ value: `party:${key}`, label: name })),
    ...groups.map((key) => ({ value: `group:${key}`, label: t.ofGroup(key) })),
    ...optionsOf(roles).map(([key, name]) => ({ value: `role:${key}`, label: t.role(name) })),
  ];
  return (
    <>
      <TextField field={part('clause')} label={t.clause} optional maxLength={200} />
      <TextField field={part('page')} label={t.page} optional type="number" min={1} max={2000} />
      <TextField field={part('territory')} label={t.territory} hint={t.territoryHint} optional maxLength={100} />
      <div className="whole stack">
        <SelectField field={part('howMany')} label={t.howMany} options={counts} />
        {howMany === 'some' && <TextField field={part('atLeast')} label={t.atLeast} type="number" min={1} max={20} />}
        <CheckboxGroup field={{ ...part('formula'), closed: howMany === 'recorded' }} label={t.who} options={signers} />
        <CheckboxGroup field={part('actTypes')} label={t.acts} options={types} />
        <CheckboxGroup
          field={part('excludeActTypes')}
          label={t.except}
          options={types.filter(({ value }) => value !== '*')}
        />
        <AmountField field={part('maxAmount')} label={t.limit} hint={t.limitHint} />
        <CheckboxGroup
          field={part('conditions')}
          label={t.conditions}
          options={optionsOf(conditions).map(([value, label]) => ({ value, label }))}
        />
        <Checkbox field={part('canDelegate')} label={t.canDelegate} />
        <TextArea field={part('sourceText')} label={t.says} optional maxLength={2000} />
      </div>
    </>
  );
}
