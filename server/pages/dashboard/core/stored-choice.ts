/**
 * Stores a choice on this device, such as the language. Used by language.ts, theme.ts, session.ts and the saved
 * filters of applications. If storage is forbidden, the choice lasts as long as the page; a stored value that is not
 * an option is ignored.
 */
export function storedChoice<T extends string>(
  name: string,
  options: readonly T[],
  initial: () => T,
): {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
} {
  const listeners = new Set<() => void>();
  let current = options.find((option) => option === read(name)) ?? initial();
  return {
    get: () => current,
    set: (value) => {
      current = value;
      write(name, value);
      listeners.forEach((listener) => listener());
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function write(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Without storage the choice ends with the page.
  }
}
