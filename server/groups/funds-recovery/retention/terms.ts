/** In days. The database refuses to delete anything live that is younger than `kept` (migration 0022). */
export const terms = {
  /** Events stay this long, and longer until every consumer that still polls has acknowledged them. */
  kept: 400,
  /** But not longer than this: nobody who stopped reading may stop the deletion of personal data. */
  keptAtMost: 800,
  /** A consumer that presented no cursor for so long is not waited for. */
  active: 90,
  /** The directory's pages of a sandbox are no evidence of anything. */
  sandboxPages: 7,
} as const;

/** Rows that one transaction deletes: a purge of millions holds no lock for long. */
export const batch = 1_000;
