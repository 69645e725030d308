interface Installation {
  /** Whether the demo tenant was created, so that the sign-in says where its password stands. */
  readonly demo: boolean;
  /** Where this installation shows its mail, when nobody delivers it. */
  readonly outbox: string | null;
}

/** What the document says of the installation that served it. */
export function installation(): Installation {
  const { demo, outbox } = document.getElementById('dashboard')?.dataset ?? {};
  return { demo: demo === 'true', outbox: outbox ?? null };
}
