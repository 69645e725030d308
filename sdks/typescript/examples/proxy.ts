/** Goes through a proxy: `HTTPS_PROXY=http://proxy.internal:3128`. */
import { ProxyAgent, fetch } from 'undici';
import { ComplianceOnboarding } from 'compliance-onboarding';

const dispatcher = new ProxyAgent(process.env['HTTPS_PROXY'] ?? 'http://127.0.0.1:3128');
const client = new ComplianceOnboarding({ fetch, fetchOptions: { dispatcher } });
console.log((await client.applications.list({ limit: 1 })).items.length, 'through the proxy');
await dispatcher.close();
