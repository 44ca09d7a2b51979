import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../src/i18n/texts/', import.meta.url));
const prefix = 'virtual:texts/';

/** Languages of the tables, in the order of their columns. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl'];

/** Reads the texts of one language out of all tables. @param {string} language */
async function textsOf(language) {
  const column = languages.indexOf(language);
  const files = readdirSync(folder).filter((file) => file.endsWith('.js') && file !== 'index.js');
  const tables = files.map(async (file) => {
    // By its time, so that a development server reads a changed table again.
    const { default: rows } = await import(`${pathToFileURL(folder + file).href}?${Date.now()}`);
    return Object.entries(rows).map(([key, row]) => [`${file.slice(0, -3)}.${key}`, row[column]]);
  });
  return Object.fromEntries((await Promise.all(tables)).flat());
}

/**
 * Makes a module of each language's texts out of the tables, so that nobody loads six languages.
 * @returns {import('vite').Plugin}
 */
export function textsPlugin() {
  return {
    name: 'texts',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      for (const file of readdirSync(folder)) this.addWatchFile(folder + file);
      return `export default ${JSON.stringify(await textsOf(id.slice(prefix.length + 1)))};`;
    },
  };
}
