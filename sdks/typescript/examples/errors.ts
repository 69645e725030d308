/** What a failed call tells, and how a write whose effect is unknown is sent again without doing it twice. */
import {
  ApiError,
  ComplianceOnboarding,
  ComplianceOnboardingError,
  DuplicateExternalIdError,
  type Application,
} from 'compliance-onboarding';

const client = new ComplianceOnboarding({ maxRetries: 0 });

async function create(externalId: string): Promise<Application | null> {
  try {
    return await client.applications.create({
      externalId,
      purpose: 'account_opening',
      applicant: { fullName: 'Ana Souza' },
    });
  } catch (error) {
    if (error instanceof DuplicateExternalIdError) return client.applications.get(error.problem.existingId ?? '');
    if (!(error instanceof ComplianceOnboardingError)) throw error;
    if (error instanceof ApiError) console.warn(error.status, error.code, error.requestId);
    // `unknown`: it may have taken effect. Under the same key the service answers what it has done, or does it now.
    if (error.outcome === 'unknown') return client.resume<Application>(error);
    return null;
  }
}

console.log('application', (await create('cust-8841'))?.id);
