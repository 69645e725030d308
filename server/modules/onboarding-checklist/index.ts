/**
 * The onboarding checklist: the steps that a tenant completes before it goes live. Nobody marks a step as done. Each is
 * done if there is evidence of it in the service, such as a second factor, a reviewed policy or a verified audit log;
 * `evidence-store.ts` has one query per step. The first request that sees a step completed or undone records the
 * change.
 *
 * The module may use screenings, tenant-settings, request, identity, audit and database.
 *
 * `POST /v1/onboarding/go-live`: the handler locks the tenant's row, observes the evidence, refuses with the list of
 * required steps that are missing, and otherwise makes the tenant active and switches its sandbox off, in the same
 * transaction.
 */
import type { Module } from '../../tasks/module.ts';
import { onboardingHandlers } from './handlers.ts';

export const onboardingChecklistModule = {
  name: 'onboarding-checklist',
  handlers: onboardingHandlers,
} satisfies Module<never>;
