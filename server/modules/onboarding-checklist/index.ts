/**
 * The onboarding checklist: what a tenant does before it goes live.
 *
 * Nobody ticks a step. Each is done when there is evidence of it in the service, such as a second factor, a reviewed policy or
 * a verified audit log; `evidence-store.ts` has one query per step. That a step was completed or undone is recorded by the
 * first request that sees it. It may use screenings, tenant-settings, request, identity, audit and database.
 *
 * `POST /v1/onboarding/go-live`: the handler locks the tenant's row, observes the evidence, refuses with the list of required
 * steps that are missing, and otherwise makes the tenant active and switches its sandbox off, in the same transaction.
 */
import type { Module } from '../../tasks/module.ts';
import { onboardingHandlers } from './handlers.ts';

export const onboardingChecklistModule = {
  name: 'onboarding-checklist',
  handlers: onboardingHandlers,
} satisfies Module<never>;
