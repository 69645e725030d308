import type { DatabaseLocation } from '../../../../server/database/login.ts';

/** What the process of the simulated directory is told. */
export interface Order {
  readonly location: DatabaseLocation;
  /** Root secret of the services on the database. */
  readonly secret: string;
  readonly dataDir: string;
}

/** A participant is to be slowed down by nothing but the work. */
export const unlimited = { refillTokens: 1_000_000, capacity: 1_000_000, refillPeriodSeconds: 60 };
export const lists = { EVENT_LIST: unlimited, INFRACTION_REPORTS_LIST_WITH_ROLE: unlimited, REFUND_LIST_WITH_ROLE: unlimited };
