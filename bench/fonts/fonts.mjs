// Registers the fonts that pictures of tests and benchmarks are drawn with. They come from packages, because a machine
// may have other fonts, or none, and documents drawn with other letters are read with other results.
import { GlobalFonts } from '@napi-rs/canvas';
import { requireFrom } from '../../scripts/packages.mjs';

const { resolve } = await requireFrom('bench/fonts');

/** Registers a family under a name that no machine's font has. @param {string} name */
function register(name) {
  const family = `Packaged ${name}`;
  for (const weight of [400, 700]) {
    const path = resolve(`@fontsource/${name}/files/${name}-latin-${weight}-normal.woff2`);
    if (!GlobalFonts.registerFromPath(path, family)) throw new Error(`The font ${path} cannot be read.`);
  }
  return family;
}

/** Families by kind. Arimo and Tinos are the designs of Liberation Sans and Serif. */
export const fonts = {
  sans: register('dejavu-sans'),
  serif: register('dejavu-serif'),
  arimo: register('arimo'),
  tinos: register('tinos'),
  mono: register('dejavu-mono'),
};
