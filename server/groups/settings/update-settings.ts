import { actorOf } from '../../contract/actor.ts';
import type { AnyPrincipal } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { assertMatch } from '../../http/etag.ts';
import { Problem } from '../../http/problem.ts';
import type { Section, SettingsPatch, VersionedSettings } from './document.ts';
import { logoErrors } from './logo.ts';
import { overlay, type JsonValue } from './overlay.ts';
import { assertNoErrors, settingsErrors } from './settings-errors.ts';
import { lockSettings, merged, replaceSettings } from './settings-store.ts';
import { weakens } from './weakens.ts';

interface Request {
  readonly ifMatch: string | undefined;
  readonly patch: SettingsPatch;
  readonly stepUp: () => Promise<void>;
  readonly now: Date;
}

export interface SettingsChange {
  readonly before: VersionedSettings;
  readonly after: VersionedSettings;
  readonly sections: readonly Section[];
  /** What protects less than before, by JSON Pointer. */
  readonly weakened: readonly string[];
}

/**
 * First who may, then whether the caller has seen what it changes, then whether the law and the rest of the document
 * allow it, and a second factor last: a code is used up by nothing that is refused anyway.
 */
export async function updateSettings(tx: Transaction, caller: AnyPrincipal, { ifMatch, patch, stepUp, now }: Request): Promise<SettingsChange> {
  const sections = Object.keys(patch) as Section[];
  assertMayChange(caller, sections);
  if (ifMatch === undefined) throw new Problem('precondition_required');
  const { own, current } = await lockSettings(tx, caller.tenantId);
  assertMatch(ifMatch, current.version);
  const document = overlay(own, patch as unknown as JsonValue);
  const settings = merged(document);
  assertNoErrors([...settingsErrors(settings, sections), ...await logoErrors(tx, caller.tenantId, patch.branding?.logoDocumentId)]);
  const weakened = weakens(current.settings, settings);
  if (weakened.length > 0) await demandPerson(caller, weakened, stepUp);
  return { before: current, after: await replaceSettings(tx, caller.tenantId, document, actorOf(caller), now), sections, weakened };
}

/** How the tenant shows itself and how its people sign in is not for compliance to decide. */
const NOT_COMPLIANCE: readonly Section[] = ['branding', 'security'];

function assertMayChange(caller: AnyPrincipal, sections: readonly Section[]): void {
  if (caller.kind !== 'user') {
    if (caller.keyEnvironment === 'test') throw new Problem('human_required', { detail: 'A test key reaches the sandbox only, and settings hold for production too.' });
    return;
  }
  const forbidden = caller.role === 'compliance_officer' ? sections.filter((section) => NOT_COMPLIANCE.includes(section)) : [];
  if (forbidden.length > 0) throw new Problem('role_forbidden', { detail: `Compliance officers do not change ${forbidden.join(' and ')}.` });
}

async function demandPerson(caller: AnyPrincipal, weakened: readonly string[], stepUp: () => Promise<void>): Promise<void> {
  if (caller.kind !== 'user') throw new Problem('human_required', { detail: `Only a person may weaken ${weakened.join(', ')}.` });
  await stepUp();
}
