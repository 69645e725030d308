/** The table of scores from which a hit is reported. Used by sections.tsx. */
import { Fragment } from 'react';
import type { Schemas } from '../../core/api.ts';
import type { FieldState } from '../../ui/form.tsx';
import { asText } from './kinds.tsx';
import { EstimateNote, hasFigures, LineFigures, useEstimate } from './line-figures.tsx';
import type { Kind } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';

type Profile = Schemas['ScreeningProfile'];
type Lines = Schemas['ScreeningLines'];
type Words = SettingsWords['sections']['screening'];

const LISTS = ['sanctions', 'pep', 'other'] as const satisfies readonly (keyof Profile)[];
const SUBJECTS = ['person', 'organisation'] as const satisfies readonly (keyof Profile['other'])[];
const LINES = ['alert', 'review', 'strong'] as const satisfies readonly (keyof Lines)[];

/** Returns each kind of list and subject, with its name. */
const kindsOf = (w: Words) =>
  LISTS.flatMap((list) =>
    SUBJECTS.map((subject) => ({ list, subject, name: `${w.kindsOfList[list]}: ${w.kindsOfSubject[subject]}` })),
  );

export const profileKind = (w: Words): Kind<Profile> => ({
  label: w.profile,
  items: (profile) =>
    kindsOf(w).map(
      ({ list, subject, name }) =>
        `${name} ${LINES.map((line) => profile[list][subject][line].toFixed(2)).join(' / ')}`,
    ),
  missing: (profile) =>
    kindsOf(w).flatMap(({ list, subject }) =>
      LINES.filter((line) => Number.isNaN(profile[list][subject][line])).map((line) => `${list}/${subject}/${line}`),
    ),
  control: (field) => <ProfileField field={field} w={w} />,
});

/** Table of score lines: a row per kind of list and subject, a column per line. */
function ProfileField({ field, w }: { readonly field: FieldState<Profile>; readonly w: Words }) {
  const { id, value: profile, parts = {} } = field;
  const estimate = useEstimate();
  const cellOf = (list: keyof Profile, subject: keyof Profile['other'], line: keyof Lines) =>
    asText({
      id: `${id}-${list}-${subject}-${line}`,
      value: profile[list][subject][line],
      messages: parts[`${list}/${subject}/${line}`] ?? [],
      change: (score) =>
        field.change({
          ...profile,
          [list]: { ...profile[list], [subject]: { ...profile[list][subject], [line]: score } },
        }),
    });
  return (
    <fieldset className="field">
      <legend>{w.profile}</legend>
      <div className="hint">{w.profileHint}</div>
      <table className="settings-checks settings-lines" aria-label={w.profile}>
        <thead>
          <tr>
            <th scope="col">{w.kind}</th>
            {LINES.map((line) => (
              <th key={line} scope="col">
                {w.lines[line]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kindsOf(w).map(({ list, subject, name }) => {
            const figures = hasFigures(estimate, list, subject) ? `${id}-${list}-${subject}-figures` : null;
            return (
              <Fragment key={name}>
                <tr>
                  <th scope="row">{name}</th>
                  {LINES.map((line) => {
                    const cell = cellOf(list, subject, line);
                    const isWrong = cell.messages.length > 0;
                    return (
                      <td key={line}>
                        <input
                          type="number"
                          step="any"
                          min={0.5}
                          max={1}
                          id={cell.id}
                          aria-label={`${name}, ${w.lines[line]}`}
                          aria-invalid={isWrong || undefined}
                          aria-describedby={
                            [isWrong && `${cell.id}-error`, line === 'alert' && figures].filter(Boolean).join(' ') ||
                            undefined
                          }
                          value={cell.value}
                          onChange={({ target }) => cell.change(target.value)}
                        />
                        {isWrong && (
                          <div className="field-error" id={`${cell.id}-error`}>
                            {cell.messages.map((message) => (
                              <p key={message}>{message}</p>
                            ))}
                          </div>
                        )}
                      </td>
                    );
                  })}
                </tr>
                {estimate && figures !== null && (
                  <tr className="settings-figures">
                    <td colSpan={LINES.length + 1}>
                      <LineFigures
                        estimate={estimate}
                        row={{ kind: list, subject, alert: profile[list][subject].alert }}
                        id={figures}
                      />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {estimate !== undefined && <EstimateNote estimate={estimate} />}
    </fieldset>
  );
}
