/** @import { Filter } from '../app/filters.js' */

const ACTIONS = ['auth.*', 'user.*', 'api_key.*', 'application.*', 'settings.*', 'sandbox.*', 'onboarding.*', 'audit.*', 'tenant.*'];

/** @type {readonly Filter[]} */
export const FILTERS = [
  { name: 'action', label: 'Action', placeholder: 'api_key.*', suggestions: ACTIONS },
  { name: 'outcome', label: 'Outcome', choices: [['', 'Any outcome'], ['success', 'Success'], ['denied', 'Denied'], ['failed', 'Failed']] },
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
  { name: 'actorType', label: 'Kind of actor', rare: true, choices: [['', 'Anybody'], ['user', 'User'], ['api_key', 'API key'], ['oauth_client', 'OAuth client'], ['system', 'The service'], ['platform_user', 'Platform staff']] },
  { name: 'actorId', label: 'Actor', placeholder: 'Id or key prefix', rare: true },
  { name: 'resourceType', label: 'Kind of resource', placeholder: 'api_key', rare: true },
  { name: 'resourceId', label: 'Resource', placeholder: 'Id', rare: true },
  { name: 'environment', label: 'Environment', rare: true, choices: [['', 'Both'], ['live', 'Live'], ['sandbox', 'Sandbox']] },
  { name: 'sort', label: 'Order', rare: true, choices: [['-sequence', 'Newest first'], ['sequence', 'Oldest first']] },
];

/**
 * The parameters of the contract. Days are days where the user is; the beginning of an action means all that begin so.
 * @param {Readonly<Record<string, string>>} values
 */
export function parametersOf({ action = '', from = '', to = '', ...others }) {
  const trimmed = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, value.trim()]));
  return { ...trimmed, action: action.split(/[\s,]+/).flatMap(withGroup), from: startOf(from, 0), to: startOf(to, 1) };
}

/** @param {string} action */
function withGroup(action) {
  return action === '' || action.endsWith('*') ? [action] : [action, `${action.replace(/\.$/, '')}.*`];
}

/**
 * @param {string} day
 * @param {number} later
 */
function startOf(day, later) {
  const [year, month, date] = day.split('-').map(Number);
  return year === undefined || month === undefined || date === undefined ? '' : new Date(year, month - 1, date + later).toISOString();
}
