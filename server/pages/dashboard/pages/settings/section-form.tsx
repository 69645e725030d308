/**
 * The form of any section of the settings. Used by settings-page.tsx. A save names the version that was shown: if
 * somebody else has saved meanwhile it is refused, and the changes are merged and shown.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, codeOf } from '../../core/problem.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { Facts, Section as Card } from '../../ui/page.tsx';
import { Differences, OvertakenNotice, type Overtaking } from './differences.tsx';
import { type Section, type SectionKey, type Settings, wholeSettings } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';
import { settingsWords } from './settings-words.ts';

const words = inLanguages({
  en: {
    save: 'Save',
    asItIs: 'Save as it is',
    none: 'None',
  },
  pt: {
    save: 'Salvar',
    asItIs: 'Salvar como está',
    none: 'Nenhum',
  },
});

export interface SectionProps {
  readonly settings: Settings;
  readonly mayChange: boolean;
  /** Titles of sections, by key. */
  readonly titles: Readonly<Record<SectionKey, string>>;
  readonly saved: (now: Settings, title: string) => void;
  /** Reloads the settings because another user has changed them. */
  readonly catchUp: () => void;
  readonly unsaved: (key: SectionKey, isUnsaved: boolean) => void;
}

/** Creates the component of a section: a form for users who may change it, and its values for all others. */
export function sectionForm<Draft extends object>(define: (t: SettingsWords) => Section<Draft>) {
  return function SectionCard(props: SectionProps) {
    const t = useWords(words);
    const texts = useWords(settingsWords);
    const section = useMemo(() => define(texts), [texts]);
    return (
      <Card title={section.title}>
        <p className="muted">{section.explanation}</p>
        {props.mayChange ? (
          <Editor {...props} section={section} enterValue={texts.enterValue} />
        ) : (
          <Readout section={section} draft={section.draftOf(props.settings)} none={t.none} />
        )}
      </Card>
    );
  };
}

function Readout<Draft extends object>({
  section: { members },
  draft,
  none,
}: {
  readonly section: Section<Draft>;
  readonly draft: Draft;
  readonly none: string;
}) {
  return (
    <Facts
      facts={members.map(({ label, summary, empty = none }) => {
        const said = summary(draft);
        return [
          label,
          said.length > 1 ? (
            <ul className="settings-list">
              {said.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          ) : (
            (said[0] ?? empty)
          ),
        ];
      })}
    />
  );
}

/** Form of a section. Changes that other users save meanwhile are merged with the entered values. */
function Editor<Draft extends object>({
  section,
  settings,
  titles,
  saved,
  catchUp,
  unsaved,
  enterValue,
}: SectionProps & { readonly section: Section<Draft>; readonly enterValue: string }) {
  const t = useWords(words);
  const { key, members, draftOf, patchOf } = section;
  const [base, setBase] = useState(settings);
  const [overtaking, setOvertaking] = useState<Overtaking<Draft> | null>(null);
  const pressed = useRef(false);
  const before = draftOf(base);

  const form = useForm<Draft>({
    initial: before,
    ...textsOf(members),
    check: (draft) =>
      members
        .flatMap((member) => member.missing(draft))
        .map((pointer) => ({ pointer, code: 'empty', message: enterValue })),
    submit: async (draft) => {
      const cleaned = members.reduce((whole, member) => member.clean(whole), draft);
      const names = members.filter((member) => !member.same(before, draft)).map(({ name }) => name);
      const answer = await answerOf(
        client.PATCH('/v1/settings', {
          body: patchOf(cleaned, names),
          params: { header: { 'If-Match': `"${base.version}"` } },
        }),
      );
      const now = wholeSettings(answer);
      setBase(now);
      form.set(draftOf(now));
      setOvertaking(null);
      saved(now, section.title);
    },
    handle: (error) => {
      if (codeOf(error) !== 'version_conflict') return null;
      pressed.current = true;
      catchUp();
      return true;
    },
  });

  const changed = members.some((member) => !member.same(before, form.values));
  useEffect(() => unsaved(key, changed), [unsaved, key, changed]);
  useEffect(() => {
    if (settings.version <= base.version) return;
    const theirs = draftOf(settings);
    const touched = members.filter((member) => !member.same(before, form.values));
    const changes = members
      .filter((member) => !member.same(before, theirs))
      .map((member) => ({
        member,
        before,
        now: theirs,
        mine: touched.includes(member) ? form.values : null,
      }));
    form.set(touched.reduce((whole, member) => member.take(form.values, whole), theirs));
    setBase(settings);
    if (changes.length > 0 || pressed.current)
      setOvertaking({
        settings,
        changes,
        elsewhere: changedSections(base, settings)
          .filter((other) => other !== key)
          .map((other) => titles[other]),
        pressed: pressed.current,
      });
    pressed.current = false;
  }, [settings, base, before, draftOf, members, form, key, titles]);

  const reset = () => {
    form.set(before);
    setOvertaking(null);
  };
  return (
    <>
      {overtaking !== null && <OvertakenNotice overtaking={overtaking} />}
      <Form form={form} action={changed ? t.save : t.asItIs} {...(changed && { cancel: reset })}>
        <div className="settings-members">
          {members.map((member) => (
            <div key={member.pointer}>{member.control(form)}</div>
          ))}
        </div>
        <Differences members={members} before={before} after={form.values} />
      </Form>
    </>
  );
}

/** Returns the pointers of a form's fields, and the messages for empty ones. */
function textsOf<Draft extends object>(members: Section<Draft>['members']) {
  const required: Partial<Record<keyof Draft & string, string>> = {};
  const pointers: Partial<Record<keyof Draft & string, string>> = {};
  for (const member of members) {
    pointers[member.name] = member.pointer;
    if (member.required !== undefined) required[member.name] = member.required;
  }
  return { required, pointers };
}

function changedSections(before: Settings, now: Settings): SectionKey[] {
  const keys: readonly SectionKey[] = [
    'branding',
    'decisionPolicy',
    'ownership',
    'screening',
    'retention',
    'security',
    'queues',
    'customActTypes',
    'fundsRecovery',
    'reports',
    'providers',
  ];
  return keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]));
}
