/**
 * Whose recoveries are followed: the live participants of the operator's list, and the sandboxes. Used by every step of
 * the ingestion. A participant can act for others behind it, so a document is stored for the tenant whom it concerns
 * and never for another.
 */
import type { Environment } from '../../contract/operation.ts';
import type { Database } from '../../database/index.ts';
import type { Directory, LiveDirectory } from '../../providers/directory/index.ts';
import type { Provenance } from '../recoveries/index.ts';
import { findSandboxes, findTenants } from './participants-store.ts';

/** Participant of the directory that is polled, with the participants that reach the directory through it. */
export interface Participant {
  readonly environment: Environment;
  readonly ispb: string;
  readonly tenantId: string;
  readonly directory: Directory;
  readonly source: Provenance['source'];
  /** Tenant of each participant: of this one, and of those that reach the directory through it. */
  readonly members: ReadonlyMap<string, string>;
  readonly includeIndirect: boolean;
}

export function participantName({ environment, ispb, tenantId }: Participant): string {
  return `${environment} ${ispb} ${tenantId}`;
}

/** Returns the same participant as it acts for one of its members. */
export function actingFor(participant: Participant, tenantId: string): Participant {
  return { ...participant, tenantId };
}

/** Directory of the sandboxes, in which each tenant has one participant. */
interface SandboxDirectory {
  readonly directory: Directory;
  readonly ispbOf: (tenantId: string) => string;
}

export interface PolledParticipant {
  readonly participant: Participant;
  /** Set if the sandbox has no open recovery, so that no changes are expected. */
  readonly isQuiet: boolean;
}

/** The participants whose recoveries are followed. */
export interface Participants {
  all(): Promise<readonly PolledParticipant[]>;
  /** Returns the participant of a tenant's sandbox, or null if this process has no directory for sandboxes. */
  sandboxOf(tenantId: string): Participant | null;
}

/**
 * Combines the live participants of the operator's list with the sandboxes. A sandbox is polled once its journal
 * contains a command.
 */
export class ConfiguredParticipants implements Participants {
  readonly #database: Database;
  readonly #sandbox: SandboxDirectory | null;
  readonly #live: LiveDirectory | null;

  constructor(database: Database, sandbox: SandboxDirectory | null, live: LiveDirectory | null) {
    this.#database = database;
    this.#sandbox = sandbox;
    this.#live = live;
  }

  async all(): Promise<readonly PolledParticipant[]> {
    const rows =
      this.#sandbox === null
        ? []
        : await this.#database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(findSandboxes, {}));
    const sandboxes = rows.flatMap(({ id, open }): PolledParticipant[] => {
      const participant = this.sandboxOf(id);
      return participant === null ? [] : [{ participant, isQuiet: !open }];
    });
    return [...(await this.#liveOnes()), ...sandboxes];
  }

  sandboxOf(tenantId: string): Participant | null {
    if (this.#sandbox === null) return null;
    const { directory, ispbOf } = this.#sandbox;
    const ispb = ispbOf(tenantId);
    return {
      environment: 'sandbox',
      ispb,
      tenantId,
      directory,
      source: 'DICT_SIMULATOR',
      members: new Map([[ispb, tenantId]]),
      includeIndirect: false,
    };
  }

  /**
   * Returns the live participants. A participant whose tenant is suspended, or does not exist yet, is not polled; the
   * directory stores its notifications for a week.
   */
  async #liveOnes(): Promise<PolledParticipant[]> {
    const live = this.#live;
    if (live === null || live.participants.length === 0) return [];
    const slugs = JSON.stringify(live.participants.map(({ tenant }) => tenant));
    const found = await this.#database.platform({ tenantId: null, readOnly: true }, (tx) =>
      tx.run(findTenants, { slugs }),
    );
    const tenants = new Map(found.map(({ id, slug }) => [slug, id]));
    const all = new Map(
      live.participants.flatMap(({ ispb, tenant }) => {
        const id = tenants.get(tenant);
        return id === undefined ? [] : [[ispb, id] as const];
      }),
    );
    return live.participants.flatMap(({ ispb, includeIndirect, identity }): PolledParticipant[] => {
      const tenantId = all.get(ispb);
      // An indirect participant has no access of its own, because another participant's polls include it.
      if (tenantId === undefined || identity === null) return [];
      const members = includeIndirect ? all : new Map([[ispb, tenantId]]);
      const participant: Participant = {
        environment: 'live',
        ispb,
        tenantId,
        directory: live.directory,
        source: 'DICT',
        members,
        includeIndirect,
      };
      return [{ isQuiet: false, participant }];
    });
  }
}
