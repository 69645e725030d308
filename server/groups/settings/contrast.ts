/** Contrast between normal text and its background (WCAG 2.2, success criterion 1.4.3, level AA). */
export const LEAST_CONTRAST = 4.5;

/**
 * Contrast of a colour against white, the background of the pages and the text on the buttons: one ratio for both. To
 * allow black text too would refuse nothing, because every colour reaches 4.58 against one of the two.
 */
export function contrastWithWhite(colour: string): number {
  return 1.05 / (relativeLuminance(colour) + 0.05);
}

/** WCAG 2.2, "relative luminance", of `#rrggbb`. */
function relativeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
