/**
 * Shows why the service refused something and what to do. Used by every form, dialog and button that can be refused.
 */
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { useLanguage } from '../core/language.ts';
import { explain, type FieldError, isProblem, waysOutOf } from '../core/problem.ts';
import { fieldMessage } from './field-message.ts';
import { goTo } from './go-to.ts';

/** Scrolls to a part of the page. A dialog closes first. */
export const Leave = createContext<(place: string) => void>(goTo);

/** An error and, if known, its pointer. */
export interface Fault {
  readonly pointer?: string | undefined;
  readonly text: string;
}

interface Props {
  /** The refusal, or null for an error found before the request. */
  readonly error: unknown;
  /** Errors without a field on the page. All errors of the refusal if absent. */
  readonly faults?: readonly Fault[];
  /** Text that replaces that of the refusal. */
  readonly children?: ReactNode;
}

/**
 * Shows a refusal: what it is, each obstacle with a link to where it can be removed, and each error with its pointer.
 * It takes the focus and scrolls into view, because the pressed button may be far below it. Every refusal of a form, a
 * dialog or a button is shown by this component.
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
  const shown = faults ?? faultsOf(isProblem(error) ? (error.errors ?? []) : [], (one) => fieldMessage(one, language));
  return (
    <div ref={element} className="notice error problems" role="alert" tabIndex={-1}>
      {children ?? (error !== null && <p>{explain(error)}</p>)}
      {ways.length > 0 && (
        <ul>
          {ways.map(({ text, label, place, href }) => (
            <li key={`${text} ${label}`}>
              {text !== '' && `${text}. `}
              {href === undefined ? (
                <a
                  href={`#${place}`}
                  onClick={(event) => {
                    event.preventDefault();
                    leave(place);
                  }}
                >
                  {label}
                </a>
              ) : (
                <a href={href}>{label}</a>
              )}
            </li>
          ))}
        </ul>
      )}
      {ways.length === 0 && shown.length > 0 && (
        <ul>
          {shown.map(({ pointer, text }) => (
            <li key={`${pointer} ${text}`}>
              {text}
              {pointer !== undefined && pointer !== '' && (
                <>
                  {' '}
                  <code>{pointer}</code>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Converts field errors to words. */
export function faultsOf(errors: readonly FieldError[], say: (error: FieldError) => string): readonly Fault[] {
  return errors.map((error) => ({ pointer: error.pointer ?? error.parameter, text: say(error) }));
}
