const sdk = require('compliance-onboarding');
const functions = require('compliance-onboarding/functions');

void import('./tour.mjs').then(({ tour }) => tour(sdk, functions)).then(console.log);
