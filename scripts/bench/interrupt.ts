type Close = () => unknown;

const open = new Set<Close>();

/**
 * Remembers what must be closed when the run is interrupted: PostgreSQL and the servers are processes of their own and
 * would stay. The answer closes it in the ordinary way, once.
 */
export function closeAtInterrupt<T>(close: () => T): () => T {
  open.add(close);
  return () => {
    open.delete(close);
    return close();
  };
}

/** Ctrl-C and SIGTERM close what is open, the newest first, and end the process as the signal would have. */
export function closeOnSignals(): void {
  for (const [signal, number] of [['SIGINT', 2], ['SIGTERM', 15]] as const) {
    process.once(signal, () => {
      console.error('interrupted; closing what is open …');
      void closeAll().finally(() => process.exit(128 + number));
    });
  }
}

async function closeAll(): Promise<void> {
  for (const close of [...open].reverse()) {
    try {
      await close();
    } catch (error) {
      console.error((error as Error).message);
    }
  }
}
