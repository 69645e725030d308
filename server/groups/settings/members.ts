import { isObject, type JsonValue } from './overlay.ts';

/** A member of a document, by its JSON Pointer (RFC 6901). */
export type Member = readonly [pointer: string, value: JsonValue];

/** The members that a pointer names, in which `*` stands for every element of a list. */
export function membersAt(document: JsonValue, pointer: string): Member[] {
  let found: Member[] = [['', document]];
  for (const step of pointer.split('/').slice(1)) found = found.flatMap((member) => below(member, step));
  return found;
}

function below([pointer, value]: Member, step: string): Member[] {
  if (Array.isArray(value)) return step === '*' ? value.map((element: JsonValue, at): Member => [`${pointer}/${at}`, element]) : [];
  const next = isObject(value) ? value[step] : undefined;
  return next === undefined ? [] : [[`${pointer}/${step}`, next]];
}
