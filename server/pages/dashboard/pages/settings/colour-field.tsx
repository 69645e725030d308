/** The field for a colour. Used by kinds.tsx. */
import { TextField } from '../../ui/fields.tsx';
import type { FieldState } from '../../ui/form.tsx';

/** Field for a colour, typed or picked. */
export function ColourField({
  field,
  label,
  hint,
  pick,
}: {
  readonly field: FieldState<string>;
  readonly label: string;
  readonly hint: string;
  readonly pick: string;
}) {
  const written = /^#[0-9a-f]{6}$/i.test(field.value.trim());
  return (
    <div className="settings-colour">
      <TextField field={field} label={label} hint={hint} maxLength={7} autoComplete="off" spellCheck={false} />
      <input
        type="color"
        aria-label={pick}
        value={written ? field.value.trim() : '#000000'}
        onChange={({ target }) => field.change(target.value)}
      />
    </div>
  );
}
