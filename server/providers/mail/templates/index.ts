/**
 * The list of mail templates, by which types and tests know all of them. Used by outbox.ts. Each template has every
 * language.
 */
import type { Template } from '../compose.ts';
import { invitation, ownerInvitation, passwordReset } from './links.ts';
import {
  accountLocked,
  alertsRaised,
  mfaDisabled,
  mfaEnrolled,
  mfaReset,
  passwordChanged,
  processAsks,
  recoveryCodeUsed,
  refreshTokenReused,
  sanctionConfirmed,
  sessionLocked,
} from './notices.ts';

export const templates = {
  invitation,
  ownerInvitation,
  passwordReset,
  passwordChanged,
  refreshTokenReused,
  recoveryCodeUsed,
  mfaEnrolled,
  mfaDisabled,
  mfaReset,
  accountLocked,
  sessionLocked,
  sanctionConfirmed,
  alertsRaised,
  processAsks,
} as const;

export type TemplateName = keyof typeof templates;

export type ValuesOf<T extends TemplateName> = (typeof templates)[T] extends Template<infer Values> ? Values : never;
