/** The state of the form of an application. Used by the page of a new application and by applicant.tsx. */
import { useWords } from '../../../core/language.ts';
import { isProblem } from '../../../core/problem.ts';
import { useForm } from '../../../ui/form.tsx';
import { nameOf, useNames } from '../words.ts';
import { fieldWords } from './field-words.ts';
import { Unreadable } from './request.ts';
import { fieldAt, POINTERS, type Values } from './values.ts';

type Refusal = Partial<Record<keyof Values, readonly string[]>>;

/** Returns the state of an application's form. Members that the level lacks are reported beside their fields. */
export function useApplicationForm({
  initial,
  submit,
  handle,
}: {
  readonly initial: Values;
  readonly submit: (values: Values, by: string) => Promise<void>;
  readonly handle?: (error: unknown) => true | null;
}) {
  const t = useWords(fieldWords);
  const { documentTypes } = useNames();
  const missing = (error: unknown): Refusal | null => {
    if (!isProblem(error) || error.code !== 'requirements_missing') return null;
    const refusal: Record<string, readonly string[]> = {};
    for (const { satisfiedBy } of error.items ?? []) {
      const field = satisfiedBy.flatMap(({ pointer }) => (pointer === undefined ? [] : (fieldAt(pointer) ?? [])))[0];
      const types = satisfiedBy.flatMap(({ documentType }) =>
        documentType === undefined ? [] : [nameOf(documentTypes, documentType)],
      );
      if (field !== undefined) refusal[field] = [t.needed];
      else if (types.length > 0)
        refusal['documents'] = [...(refusal['documents'] ?? []), t.neededDocument(types.join(', '))];
    }
    return refusal;
  };
  return useForm<Values>({
    initial,
    required: { fullName: t.enterName, purpose: t.enterPurpose },
    pointers: POINTERS,
    messages: { check_digits: t.checkDigits },
    submit,
    handle: (error) => {
      if (error instanceof Unreadable)
        return error.field === 'monthlyIncome'
          ? { monthlyIncome: [t.unreadableIncome] }
          : { taxResidencies: [t.unreadableResidency] };
      return missing(error) ?? handle?.(error) ?? null;
    },
  });
}
