/**
 * This file defines the credentials of the demo tenants, keeps them in `DATA_DIR/demo.json` and prints them
 * when `make start` is ready.
 */
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A person who is invited to join, and the link of the invitation. */
export interface DemoInvitation {
  readonly email: string;
  readonly name: string;
  readonly invitationId: string;
  readonly expiresAt: string;
  /** Null once they have joined. */
  readonly link: string | null;
}

/** A tenant that is not live yet, for trying the onboarding, and an administrator of the platform. */
export interface FirstRun {
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string };
  readonly owner: DemoInvitation;
  readonly platformAdministrator: DemoInvitation;
}

/** The content of `DATA_DIR/demo.json`, which scripts read to sign in. */
export interface DemoCredentials {
  readonly baseUrl: string;
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string };
  readonly email: string;
  readonly password: string;
  /** A live key with every scope. */
  readonly apiKey: string;
  /** A test key, which works while sandbox mode is on. */
  readonly testKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A second tenant, which is not live yet. */
  readonly firstRun: FirstRun;
}

/** A file of an earlier version has no `firstRun`. */
export type KnownDemo = Omit<DemoCredentials, 'firstRun'> & { readonly firstRun?: FirstRun };

const pathIn = (dataDir: string): string => join(dataDir, 'demo.json');

export function readDemo(dataDir: string): DemoCredentials | null {
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as DemoCredentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Replaces the file atomically, readable by its owner only. */
export function writeDemo(dataDir: string, demo: DemoCredentials): void {
  const draft = `${pathIn(dataDir)}.new`;
  writeFileSync(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, pathIn(dataDir));
}

/** The text that `make start` prints when the service is ready. */
export function banner(demo: DemoCredentials, demoFile: string): string {
  const { baseUrl } = demo;
  return `
  Compliance Onboarding is ready. Ctrl-C stops it and its database.

    Start page   ${baseUrl}/
    Reference    ${baseUrl}/reference
    Explorer     ${baseUrl}/explorer
    API keys     ${baseUrl}/keys
    Recoveries   ${baseUrl}/funds-recovery   (while sandbox mode is on: play one through)

    Sign in      ${demo.email}  ${demo.password}
    Live key     ${demo.apiKey}
    Test key     ${demo.testKey}   (while sandbox mode is on)
    OAuth        client_id ${demo.clientId}
                 client_secret ${demo.clientSecret}

  The same for programs: ${demoFile}
${firstRun(demo.firstRun, baseUrl)}`;
}

/**
 * Returns the steps of a new tenant from the owner's invitation to going live, or without steps if the owner has
 * joined.
 */
function firstRun({ tenant, owner, platformAdministrator }: FirstRun, baseUrl: string): string {
  const steps =
    owner.link === null
      ? ''
      : `
  Your first run: take ${tenant.name} from an invitation to production, and watch ${baseUrl}/onboarding move.

    1. Accept the invitation of ${owner.name} and choose a password:
       ${owner.link}
    2. Protect the account with a second factor:             ${baseUrl}/account
    3. Invite a compliance officer, whose mail is in the
       outbox; accept it in a private window:                ${baseUrl}/team  ${baseUrl}/outbox
    4. Create an API key, with an expiry:                    ${baseUrl}/keys
    5. Submit an application of a persona:                   ${baseUrl}/sandbox
    6. As the officer, save the decision policy and how
       long records are kept:                                ${baseUrl}/settings
    7. Verify that nobody has changed the audit log:         ${baseUrl}/audit
    8. Go live:                                              ${baseUrl}/onboarding
`;
  const administrator =
    platformAdministrator.link === null
      ? ''
      : `
  To administer the platform, accept the invitation of ${platformAdministrator.name}:
       ${platformAdministrator.link}
`;
  return steps + administrator;
}
