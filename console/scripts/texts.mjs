import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../src/i18n/texts/', import.meta.url));
const prefix = 'virtual:texts/';

/** Languages of the tables, in the order of their columns. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl'];

/** Reads all rows of all tables, each with its key. @returns {Promise<[key: string, row: readonly string[]][]>} */
async function readRows() {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js') && file !== 'index.js');
  const tables = files.sort().map(async (file) => {
    // By its time, so that a development server reads a changed table again.
    const { default: rows } = await import(`${pathToFileURL(folder + file).href}?${Date.now()}`);
    return Object.entries(rows).map(([key, row]) => [`${file.slice(0, -3)}.${key}`, row]);
  });
  return (await Promise.all(tables)).flat();
}

/** Lists the keys, or the texts of a language in the order of the keys. @param {string} name */
async function contentOf(name) {
  const rows = await readRows();
  return name === 'keys' ? rows.map(([key]) => key) : rows.map(([, row]) => row[languages.indexOf(name)]);
}

/**
 * Makes a module of each language's texts, so that nobody loads six languages. The keys are in one module for all of
 * them: in each, they would take a third of its size.
 * @returns {import('vite').Plugin}
 */
export function textsPlugin() {
  return {
    name: 'texts',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      for (const file of readdirSync(folder)) this.addWatchFile(folder + file);
      return `export default ${JSON.stringify(await contentOf(id.slice(prefix.length + 1)))};`;
    },
  };
}
