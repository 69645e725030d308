import type { HandlersOf } from '../../contract/handlers.ts';
import type { Services } from '../../services.ts';

function pending(): never {
  throw new Error('being written');
}

export const onboarding = (_services: Services) => ({
  getOnboardingChecklist: pending,
  dismissOnboardingStep: pending,
  goLive: pending,
} satisfies HandlersOf<'onboarding'>);
