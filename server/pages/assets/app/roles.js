/** What each role is for, in the order of their reach. @type {readonly (readonly [string, string, string])[]} */
export const ROLES = [
  ['owner', 'Owner', 'Everything, including other owners and going live'],
  ['admin', 'Admin', 'Team, settings and API keys'],
  ['compliance_officer', 'Compliance officer', 'Policies, cases and the audit log'],
  ['analyst', 'Analyst', 'Applications and cases'],
  ['developer', 'Developer', 'API keys and the sandbox'],
  ['auditor', 'Auditor', 'Reads applications, people, settings and the audit log'],
  ['viewer', 'Viewer', 'Reads applications'],
];

/** In running text. @param {string} role */
export function roleName(role) {
  return role === 'platform_admin' ? 'platform administrator' : role.replaceAll('_', ' ');
}

/** As a label. @param {string} role */
export function roleTitle(role) {
  const name = roleName(role);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
