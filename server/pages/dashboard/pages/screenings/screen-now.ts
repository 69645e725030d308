/** Starts a screening and opens its result. Used by the page of a screening and by that of an application. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useScreened } from './changed.ts';
import type { Screening } from './screening-words.ts';

/** Screens a subject by a call of the API and opens the result. The reason of a refusal is in `error`. */
export function useScreenNow(ask: () => Promise<Screening>) {
  const navigate = useNavigate();
  const screened = useScreened();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { id: screeningId, applicationId } = await ask();
      await screened(screeningId, applicationId);
      await navigate({ to: '/screenings/$screeningId', params: { screeningId } });
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return { run: () => void run(), busy, error };
}
