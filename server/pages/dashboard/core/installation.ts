/**
 * What the document says about the installation (server/pages/dashboard.ts writes it). Used by pages that mention the
 * demo or its outbox.
 */

interface Installation {
  /** Whether the demo tenant was created, so that the sign-in says where its password is. */
  readonly demo: boolean;
  /** Path of the page that shows the mail of this installation, if there is no mail server. */
  readonly outbox: string | null;
}

/** Returns the data about the installation in the document. */
export function installation(): Installation {
  const { demo, outbox } = document.getElementById('dashboard')?.dataset ?? {};
  return { demo: demo === 'true', outbox: outbox ?? null };
}
