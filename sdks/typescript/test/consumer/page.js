/** In a page and, imported by `worker.js`, in a worker. */
import { ComplianceOnboarding, NotFoundError, fileFromPath } from '/package/index.js';
import { createClient, getApplication } from '/package/functions.js';

export async function tour() {
  const client = new ComplianceOnboarding({ baseUrl: self.location.origin, apiKey: 'kyc_test_Abcdefgh_secret' });
  const { id } = await client.applications.create({ purpose: 'account_opening', applicant: { fullName: 'Ana Souza' } });
  const ids = [];
  for await (const application of client.applications.list()) ids.push(application.id);
  const missing = await client.applications.get('missing').catch((error) => error);
  const path = await fileFromPath('/etc/passwd').catch((error) => error.message);
  const flat = await getApplication(
    createClient({ baseUrl: self.location.origin, apiKey: 'kyc_test_Abcdefgh_secret' }),
    'a',
  );
  return {
    id,
    ids,
    missing: missing instanceof NotFoundError,
    path,
    flat: flat.id,
  };
}
