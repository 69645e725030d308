/** Buttons, and links that look like them. Used by all pages. */
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';

export type ButtonLook = 'plain' | 'primary' | 'danger' | 'quiet' | 'quiet-danger';

interface Look {
  readonly look?: ButtonLook;
  readonly small?: boolean;
}

export function buttonClass({ look = 'plain', small = false }: Look): string {
  return ['button', ...(look === 'plain' ? [] : look.split('-')), ...(small ? ['small'] : [])].join(' ');
}

export function Button({
  look,
  small,
  busy = false,
  onClick,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & Look & { readonly busy?: boolean; readonly children: ReactNode }) {
  // A busy button keeps the focus, which a disabled one would lose.
  return (
    <button
      type="button"
      className={buttonClass({ look, small })}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    />
  );
}

/** A link that looks like a button. The routes type its path and its search parameters. */
export const ButtonLink = createLink(function Anchor({
  look,
  small,
  className = '',
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & Look) {
  // The router adds a class of its own if a link leads to the open page or to a parent of it.
  return <a className={`${buttonClass({ look, small })} ${className}`.trim()} {...rest} />;
});
