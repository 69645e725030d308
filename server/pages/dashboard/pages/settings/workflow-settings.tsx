/** The settings of the processes that run by themselves. Used by settings-page.tsx. */
import { kindsIn } from './kinds.tsx';
import { membersOf, type Section } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';

interface Draft {
  readonly application: string | null;
}

/** Which process applications run by. */
export const workflows = (t: SettingsWords): Section<Draft> => {
  const w = t.sections.workflows;
  return {
    key: 'workflows',
    title: w.title,
    explanation: w.explanation,
    draftOf: ({ workflows: { application } }) => ({ application }),
    patchOf: ({ application }) => ({ workflows: { application } }),
    members: [
      membersOf<Draft>('/workflows')('application', kindsIn(t).text(w.application, { hint: w.applicationHint })),
    ],
  };
};
