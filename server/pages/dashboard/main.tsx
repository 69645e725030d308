/**
 * Starts the dashboard in the browser: the entry of the build (vite.config.ts). The document of
 * server/pages/dashboard.ts must have the element that it renders into.
 */
import './styles/tokens.css';
import './styles/base.css';
import './styles/tables.css';
import './styles/controls.css';
import './styles/overlays.css';
import './styles/shell.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { markDocument } from './core/language.ts';
import { queryClient } from './core/query-client.ts';
import { router } from './shell/routes.tsx';
import { startSession } from './core/session.ts';
import { applyTheme } from './core/theme.ts';

const element = document.getElementById('dashboard');
if (element === null) throw new Error('the document needs an element with the id "dashboard"');

// The document's policy allows the style elements of the dialog's scroll lock by this nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce !== undefined) setNonce(nonce);
applyTheme();
markDocument();
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
void startSession();
