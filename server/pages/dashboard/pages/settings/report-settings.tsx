/** The settings of the reports to the authority. Used by settings-page.tsx. */
import type { Schemas } from '../../core/api.ts';
import { TextArea } from '../../ui/fields.tsx';
import { kindsIn } from './kinds.tsx';
import { type Kind, membersOf, pick, type Section } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';
import { raised } from './weakening.ts';

/** Deadlines, of which a longer one is a weakening, and the templates of the two texts of a report. */
export const reports = (t: SettingsWords): Section<Schemas['ReportSettings']> => {
  const w = t.sections.reports;
  const { number, choice } = kindsIn(t);
  const of = membersOf<Schemas['ReportSettings']>('/reports');
  const template = (label: string, hint: string): Kind<string> => ({
    label,
    required: t.enterValue,
    items: (value) => (value === '' ? [] : [value]),
    control: (field) => <TextArea field={field} label={label} hint={hint} rows={8} maxLength={20_000} />,
  });
  return {
    key: 'reports',
    title: w.title,
    explanation: w.explanation,
    draftOf: (settings) => settings.reports,
    patchOf: (draft, names) => ({ reports: pick(draft, names) }),
    members: [
      of('selectionDays', number(w.selectionDays, { weakens: raised })),
      of('analysisDays', number(w.analysisDays, { weakens: raised })),
      of('suspiciousBusinessDays', number(w.suspiciousBusinessDays, { weakens: raised })),
      of('cashBusinessDays', number(w.cashBusinessDays, { weakens: raised })),
      of('nonOccurrenceBusinessDays', number(w.nonOccurrenceBusinessDays, { weakens: raised })),
      of('narrativeTemplate', template(w.narrativeTemplate, w.templateHint)),
      of(
        'submissionFormat',
        choice(w.submissionFormat, [
          ['xml', w.xml],
          ['csv', w.csv],
          ['text', w.plainText],
        ]),
      ),
      of('submissionTemplate', template(w.submissionTemplate, w.layoutHint)),
    ],
  };
};
