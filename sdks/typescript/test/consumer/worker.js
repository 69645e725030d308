import { tour } from './page.js';

tour().then(postMessage);
