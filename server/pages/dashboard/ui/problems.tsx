import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { useLanguage } from '../app/language.ts';
import { explain, type FieldError, isProblem, waysOutOf } from '../app/problem.ts';
import { fieldMessage } from './field-message.ts';
import { goTo } from './go-to.ts';

/** Leads to a part of the page. A dialog closes itself before. */
export const Leave = createContext<(place: string) => void>(goTo);

/** What is wrong, and where if the service says it. */
export interface Fault {
  readonly pointer?: string | undefined;
  readonly text: string;
}

interface Props {
  /** The refusal, or null if something was found to be wrong before the service was asked. */
  readonly error: unknown;
  /** What has no field beside which it stands. All errors of the refusal, unless given. */
  readonly faults?: readonly Fault[];
  /** Other words for the refusal. */
  readonly children?: ReactNode;
}

/**
 * Shows a refusal: what it is, each thing that stands in the way with a link to where it is mended, and each fault with its pointer. It takes the focus and is scrolled into view, because
 * the button that was pressed may be far below it. Every refusal of a form, a dialog or a button is shown by this component.
 */
export function Problems({ error, faults, children }: Props) {
  const language = useLanguage();
  const leave = useContext(Leave);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'center' });
    element.current?.focus({ preventScroll: true });
  }, [error, faults]);
  const ways = isProblem(error) ? waysOutOf(error) : [];
  const told = faults ?? faultsOf(isProblem(error) ? error.errors ?? [] : [], (one) => fieldMessage(one, language));
  return (
    <div ref={element} className="notice error problems" role="alert" tabIndex={-1}>
      {children ?? (error !== null && <p>{explain(error)}</p>)}
      {ways.length > 0 && <ul>{ways.map(({ text, label, place, href }) => (
        <li key={`${text} ${label}`}>{text !== '' && `${text}. `}{href === undefined ? <a href={`#${place}`} onClick={(event) => { event.preventDefault(); leave(place); }}>{label}</a> : <a href={href}>{label}</a>}</li>
      ))}</ul>}
      {ways.length === 0 && told.length > 0 && <ul>{told.map(({ pointer, text }) => <li key={`${pointer} ${text}`}>{text}{pointer !== undefined && pointer !== '' && <> <code>{pointer}</code></>}</li>)}</ul>}
    </div>
  );
}

/** Faults in words. */
export function faultsOf(errors: readonly FieldError[], say: (error: FieldError) => string): readonly Fault[] {
  return errors.map((error) => ({ pointer: error.pointer ?? error.parameter, text: say(error) }));
}
