import { expect, it } from 'vitest';
import { contrastWithWhite, LEAST_CONTRAST } from './contrast.ts';
import { defaultSettings } from './defaults.ts';

// The figures that the common contrast checkers show.
it.each([['#000000', 21], ['#ffffff', 1], ['#777777', 4.48], ['#767676', 4.54], ['#ff0000', 4], ['#0000ff', 8.59], ['#008000', 5.14], ['#ffff00', 1.07]])('%s stands out from white by %f to 1', (colour, ratio) => {
  expect(contrastWithWhite(colour)).toBeCloseTo(ratio, 2);
});

it('is enough in the default colour', () => {
  expect(contrastWithWhite(defaultSettings.branding.primaryColor)).toBeGreaterThan(LEAST_CONTRAST);
});
