/**
 * Sends every call of the dashboard with the token of the session (api.ts), once more after a refused token, and with a
 * code if the service wants a fresh second factor. A call that got no answer throws `Unreachable`, one whose dialog for
 * the code was closed `Cancelled`.
 */
import { Cancelled, isProblem, Unreachable } from './problem.ts';
import { reportReachability } from './reachability.ts';
import { accessToken } from './session.ts';
import { requestCode } from './step-up.ts';

/** Sends a request with the session of this page. The `fetch` of every call. */
export async function send(request: Request): Promise<Response> {
  const spare = request.clone();
  const response = await authorised(request);
  if (!(await isStepUp(response))) return response;
  for (;;) {
    const code = await requestCode();
    if (code === null) throw new Cancelled();
    const attempt = spare.clone();
    attempt.headers.set('X-TOTP-Code', code.value);
    const answer = await authorised(attempt);
    if (!(await isStepUp(answer))) {
      code.accepted();
      return answer;
    }
    code.refused();
  }
}

/**
 * Sends a request and renews the token after a 401, because the clock of this computer may be wrong and the service
 * decides about expiry.
 */
async function authorised(request: Request): Promise<Response> {
  const spare = request.clone();
  const token = await accessToken();
  const response = await transmit(request, token);
  if (response.status !== 401) return response;
  return transmit(spare, await accessToken({ refused: token }));
}

async function transmit(request: Request, token: string): Promise<Response> {
  request.headers.set('Authorization', `Bearer ${token}`);
  try {
    const response = await fetch(request);
    reportReachability(response.status !== 502 && response.status !== 503);
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    reportReachability(false);
    throw new Unreachable();
  }
}

async function isStepUp(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return isProblem(problem) && problem.code === 'step_up_required';
}
