/**
 * The types by which a section of the settings describes itself, and helpers to define one. Used by all files that
 * define or show sections. An answer without every section throws.
 */
import type { ReactNode } from 'react';
import type { Schemas } from '../../core/api.ts';
import type { FieldState } from '../../ui/form.tsx';
import type { Weakens } from './weakening.ts';

/** The whole document. The contract also has answers with a single section. */
export type Settings = Required<Schemas['TenantSettings']>;
export type SectionKey = keyof Omit<Settings, 'version' | 'updatedAt' | 'updatedBy'>;

export function wholeSettings(answer: Schemas['TenantSettings']): Settings {
  const {
    branding,
    decisionPolicy,
    ownership,
    screening,
    retention,
    security,
    queues,
    cases,
    risk,
    customActTypes,
    fundsRecovery,
    reports,
    providers,
    workflows,
  } = answer;
  if (
    branding === undefined ||
    decisionPolicy === undefined ||
    ownership === undefined ||
    screening === undefined ||
    retention === undefined ||
    security === undefined ||
    queues === undefined ||
    cases === undefined ||
    risk === undefined ||
    customActTypes === undefined ||
    fundsRecovery === undefined ||
    reports === undefined ||
    providers === undefined ||
    workflows === undefined
  )
    throw new Error('the settings in the answer must have every section');
  return {
    ...answer,
    branding,
    decisionPolicy,
    ownership,
    screening,
    retention,
    security,
    queues,
    cases,
    risk,
    customActTypes,
    fundsRecovery,
    reports,
    providers,
    workflows,
  };
}

/** Display, control and comparison of values of one kind. */
export interface Kind<Value> {
  readonly label: string;
  /** Describes a value in words. */
  readonly items: (value: Value) => readonly string[];
  /** A shorter description for the read-only view, if there is one. */
  readonly summary?: (value: Value) => readonly string[];
  /** Meaning of an empty value. */
  readonly empty?: string;
  /** Message for an empty field, if a value is required. */
  readonly required?: string;
  /** Returns the empty required parts, by the rest of their pointer: `2/name`. */
  readonly missing?: (value: Value) => readonly string[];
  /** Cleans typed input before it is sent. */
  readonly clean?: (value: Value) => Value;
  /** Returns whether a change weakens protection. If absent, no change does. */
  readonly weakens?: Weakens<Value>;
  readonly control: (field: FieldState<Value>) => ReactNode;
}

interface DraftForm<Draft> {
  readonly field: <Name extends keyof Draft & string>(name: Name) => FieldState<Draft[Name]>;
}

/** One member of a section, of any type. */
export interface Member<Draft> {
  readonly name: keyof Draft & string;
  /** JSON Pointer in the settings. */
  readonly pointer: string;
  readonly label: string;
  readonly empty: string | undefined;
  readonly required: string | undefined;
  /** Returns the JSON Pointers of empty required parts. */
  readonly missing: (draft: Draft) => readonly string[];
  readonly items: (draft: Draft) => readonly string[];
  readonly summary: (draft: Draft) => readonly string[];
  readonly same: (one: Draft, other: Draft) => boolean;
  readonly weakens: (before: Draft, after: Draft) => boolean;
  /** Returns `into` with the value of this member in `from`. */
  readonly take: (from: Draft, into: Draft) => Draft;
  readonly clean: (draft: Draft) => Draft;
  readonly control: (form: DraftForm<Draft>) => ReactNode;
}

/**
 * Creates members of a section whose pointers begin with `prefix`: `of('auditYears', number(…))`. A renamed member does
 * not compile.
 */
export function membersOf<Draft extends object>(prefix: string) {
  return <Name extends keyof Draft & string>(
    name: Name,
    kind: Kind<Draft[Name]>,
    pointer = `${prefix}/${name}`,
  ): Member<Draft> => {
    const cleaned = (draft: Draft): Draft[Name] => (kind.clean === undefined ? draft[name] : kind.clean(draft[name]));
    const items = (draft: Draft): readonly string[] => kind.items(cleaned(draft));
    return {
      name,
      pointer,
      label: kind.label,
      empty: kind.empty,
      required: kind.required,
      items,
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

/** A part of the settings that is edited and saved separately. */
export interface Section<Draft extends object> {
  readonly key: SectionKey;
  readonly title: string;
  readonly explanation: string;
  readonly members: readonly Member<Draft>[];
  readonly draftOf: (settings: Settings) => Draft;
  /**
   * Returns a merge patch (RFC 7396) with the named members. Without any, it still names the section, because saving
   * confirms that it was reviewed.
   */
  readonly patchOf: (draft: Draft, changed: readonly (keyof Draft & string)[]) => Schemas['TenantSettingsUpdate'];
}

/** Returns the members with these names. */
export function pick<T extends object, Name extends keyof T>(value: T, names: readonly Name[]): Partial<T> {
  const picked: Partial<T> = {};
  for (const name of names) picked[name] = value[name];
  return picked;
}
