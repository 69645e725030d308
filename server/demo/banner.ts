import type { DemoCredentials } from './credentials.ts';

/** What `make start` ends with. */
export function banner(demo: DemoCredentials, demoFile: string): string {
  const { baseUrl } = demo;
  return `
  Compliance Onboarding is ready. Ctrl-C stops it and its database.

    Start page   ${baseUrl}/
    Reference    ${baseUrl}/reference
    Explorer     ${baseUrl}/explorer
    API keys     ${baseUrl}/keys

    Sign in      ${demo.email}  ${demo.password}
    Live key     ${demo.apiKey}
    Test key     ${demo.testKey}   (while sandbox mode is on)
    OAuth        client_id ${demo.clientId}
                 client_secret ${demo.clientSecret}

  The same for programs: ${demoFile}
`;
}
