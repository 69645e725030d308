/** What a location is where a change is read back. Used by the tables of such locations and the test over them. */
/** Answer to a call: the record, or an object that contains it. */
export type Answered = Readonly<Record<string, unknown>>;
type Path = (answered: Answered, params: Readonly<Record<string, string>>) => string;

export interface ReadBack {
  /** Path to read the record, and the record's location in the answer. */
  readonly get?: readonly [
    path: Path,
    record: (body: Answered, answered: Answered, params: Readonly<Record<string, string>>) => unknown,
  ];
  /** Path of the list of such records, and the member that identifies one. */
  readonly list?: readonly [path: string, member: string, value: Path];
  /** Rearranges the record if it shows members of the body elsewhere. */
  readonly as?: (record: Answered) => Answered;
  /** Reasons why members, by their JSON pointers, are not read back. */
  readonly writeOnly?: Readonly<Record<string, string>>;
}

export const ORDER = 'it says how to do it and is no member of the record';
export const LOGGED = 'it is kept by the audit log only';
