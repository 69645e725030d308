import { tour } from './page.js';

void tour().then(postMessage);
