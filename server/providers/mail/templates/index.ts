import { invitation } from './invitation.ts';
import { ownerInvitation } from './owner-invitation.ts';
import { passwordReset } from './password-reset.ts';
import { mfaDisabled, mfaEnrolled, mfaReset } from './second-factor-notices.ts';
import { accountLocked, passwordChanged, recoveryCodeUsed, refreshTokenReused, sessionLocked } from './security-notices.ts';
import type { Template } from './template.ts';

export const templates = {
  invitation, ownerInvitation, passwordReset, passwordChanged, refreshTokenReused, recoveryCodeUsed, mfaEnrolled, mfaDisabled, mfaReset, accountLocked, sessionLocked,
} as const;

export type TemplateName = keyof typeof templates;

export type ValuesOf<T extends TemplateName> = (typeof templates)[T] extends Template<infer Values> ? Values : never;
