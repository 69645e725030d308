/** Menus of actions and of choices. Used by tables and the account menu. */
import * as Radix from 'radix-ui';
import { MoreHorizontal } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

export interface MenuAction {
  readonly label: string;
  readonly danger?: boolean;
  readonly run: () => void;
}

/** A button that opens a list of actions. */
export function Menu({
  label,
  trigger,
  actions,
  children,
}: {
  readonly label: string;
  readonly trigger?: ReactNode;
  readonly actions?: readonly MenuAction[];
  readonly children?: ReactNode;
}) {
  // The chosen action starts when the focus is back on the button, so that a dialog knows where to return it.
  const chosen = useRef<(() => void) | null>(null);
  const begin = () => {
    const run = chosen.current;
    chosen.current = null;
    if (run !== null) queueMicrotask(run);
  };
  return (
    <Radix.DropdownMenu.Root modal={false}>
      <Radix.DropdownMenu.Trigger className={trigger === undefined ? 'icon-button' : 'menu-trigger'} aria-label={label}>
        {trigger ?? <MoreHorizontal aria-hidden size={20} />}
      </Radix.DropdownMenu.Trigger>
      <Radix.DropdownMenu.Portal>
        <Radix.DropdownMenu.Content
          className="menu"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={begin}
        >
          {children}
          {actions?.map(({ label: name, danger = false, run }) => (
            <Radix.DropdownMenu.Item
              key={name}
              className={danger ? 'menu-item danger' : 'menu-item'}
              onSelect={() => {
                chosen.current = run;
              }}
            >
              {name}
            </Radix.DropdownMenu.Item>
          ))}
        </Radix.DropdownMenu.Content>
      </Radix.DropdownMenu.Portal>
    </Radix.DropdownMenu.Root>
  );
}

/** A group of exclusive options, such as the language. */
export function MenuChoice<T extends string>({
  label,
  value,
  options,
  choose,
}: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly choose: (value: T) => void;
}) {
  return (
    <Radix.DropdownMenu.RadioGroup value={value}>
      <Radix.DropdownMenu.Label className="menu-label">{label}</Radix.DropdownMenu.Label>
      {options.map(([option, name]) => (
        <Radix.DropdownMenu.RadioItem key={option} value={option} className="menu-item" onSelect={() => choose(option)}>
          <span className="menu-mark">
            <Radix.DropdownMenu.ItemIndicator>✓</Radix.DropdownMenu.ItemIndicator>
          </span>
          {name}
        </Radix.DropdownMenu.RadioItem>
      ))}
    </Radix.DropdownMenu.RadioGroup>
  );
}
