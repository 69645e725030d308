import type { ReactNode } from 'react';
import type { Schemas } from '../../app/api.ts';
import type { FieldState } from '../../ui/form.tsx';
import type { Weakens } from './weakening.ts';

/** The whole document; the contract also knows answers with one section of it. */
export type Settings = Required<Schemas['TenantSettings']>;
export type SectionKey = keyof Omit<Settings, 'version' | 'updatedAt' | 'updatedBy'>;

export function wholeSettings(answer: Schemas['TenantSettings']): Settings {
  const { branding, decisionPolicy, ownership, screening, retention, security, queues, customActTypes, fundsRecovery } = answer;
  if (branding === undefined || decisionPolicy === undefined || ownership === undefined || screening === undefined || retention === undefined || security === undefined
    || queues === undefined || customActTypes === undefined || fundsRecovery === undefined) throw new Error('the answer lacks a section of the settings');
  return { ...answer, branding, decisionPolicy, ownership, screening, retention, security, queues, customActTypes, fundsRecovery };
}

/** How values of one kind are shown, edited and compared. */
export interface Kind<Value> {
  readonly label: string;
  /** What a value says, in words. */
  readonly items: (value: Value) => readonly string[];
  /** The same for reading through, where that is shorter. */
  readonly summary?: (value: Value) => readonly string[];
  /** What it means that there is none. */
  readonly empty?: string;
  /** What to say of an empty field, where there must be something. */
  readonly required?: string;
  /** Parts that are empty and must not be, by the rest of their pointer: `2/name`. */
  readonly missing?: (value: Value) => readonly string[];
  /** As it is sent, without what somebody typed by the way. */
  readonly clean?: (value: Value) => Value;
  /** Whether it protects less than before; without it nothing is guarded. */
  readonly weakens?: Weakens<Value>;
  readonly control: (field: FieldState<Value>) => ReactNode;
}

interface DraftForm<Draft> {
  readonly field: <Name extends keyof Draft & string>(name: Name) => FieldState<Draft[Name]>;
}

/** One member of a section, whatever its type. */
export interface Member<Draft> {
  readonly name: keyof Draft & string;
  /** JSON Pointer in the settings. */
  readonly pointer: string;
  readonly label: string;
  readonly empty: string | undefined;
  readonly required: string | undefined;
  /** JSON Pointers of parts that are empty and must not be. */
  readonly missing: (draft: Draft) => readonly string[];
  readonly items: (draft: Draft) => readonly string[];
  readonly summary: (draft: Draft) => readonly string[];
  readonly same: (one: Draft, other: Draft) => boolean;
  readonly weakens: (before: Draft, after: Draft) => boolean;
  /** `into` with the value of this member in `from`. */
  readonly take: (from: Draft, into: Draft) => Draft;
  readonly clean: (draft: Draft) => Draft;
  readonly control: (form: DraftForm<Draft>) => ReactNode;
}

/** Makes members of a section whose pointers begin with `prefix`: `of('auditYears', number(…))`. A renamed member does not compile. */
export function membersOf<Draft extends object>(prefix: string) {
  return <Name extends keyof Draft & string>(name: Name, kind: Kind<Draft[Name]>, pointer = `${prefix}/${name}`): Member<Draft> => {
    const cleaned = (draft: Draft): Draft[Name] => (kind.clean === undefined ? draft[name] : kind.clean(draft[name]));
    const items = (draft: Draft): readonly string[] => kind.items(cleaned(draft));
    return {
      name, pointer, label: kind.label, empty: kind.empty, required: kind.required, items,
      missing: (draft) => (kind.missing?.(draft[name]) ?? []).map((part) => `${pointer}/${part}`),
      summary: (draft) => (kind.summary ?? kind.items)(draft[name]),
      same: (one, other) => JSON.stringify(cleaned(one)) === JSON.stringify(cleaned(other)),
      weakens: (before, after) => kind.weakens?.(before[name], cleaned(after)) ?? false,
      take: (from, into) => ({ ...into, [name]: from[name] }),
      clean: (draft) => ({ ...draft, [name]: cleaned(draft) }),
      control: (form) => kind.control(form.field(name)),
    };
  };
}

/** A part of the settings that is edited and saved by itself. */
export interface Section<Draft extends object> {
  readonly key: SectionKey;
  readonly title: string;
  readonly explanation: string;
  /** What does not have an effect yet, or null. */
  readonly toCome: string | null;
  readonly members: readonly Member<Draft>[];
  readonly draftOf: (settings: Settings) => Draft;
  /** A merge patch (RFC 7396) with the members that are named; without any it still names the section: saving says that it was looked at. */
  readonly patchOf: (draft: Draft, changed: readonly (keyof Draft & string)[]) => Schemas['TenantSettingsUpdate'];
}

/** The members of these names. */
export function pick<T extends object, Name extends keyof T>(value: T, names: readonly Name[]): Partial<T> {
  const picked: Partial<T> = {};
  for (const name of names) picked[name] = value[name];
  return picked;
}
