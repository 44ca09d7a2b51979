/** Patterns of what the gateway says of cells, by their texts. Groups are values. */
const reasons = {
  alike: /^looks like line (\d+)$/,
  cells: /^has (\d+) cells, and the header has (\d+)$/,
  chosen: /^is left out, as was chosen for: (.+)$/s,
  date: /^must be a date such as (.+)$/,
  exists: /^exists already, with the id .+$/,
  formula: /^is an error of a formula, and is left out$/,
  left_out: /^names no [\w, ]+ that exists: (.+), which is left out$/s,
  no_day: /^is not a day of the calendar$/,
  no_match: /^matches no record that exists$/,
  nobody: /^names nobody who is known: (.+)$/s,
  not_found: /^names no [\w, ]+ that exists: (.+)$/s,
  number: /^must be a number such as (.+)$/,
  order: /^is (.+): choose the order of dates$/,
  people: /^names several people: (.+)$/s,
  required: /^(?:is required|must not be empty)$/,
  rounded: /^looks like a number that a spreadsheet has rounded$/,
  same: /^is the same record as line (\d+)$/,
  several: /^matches several records: add their ids$/,
  truth: /^must be true or false$/,
  undated: /^says that there is no date$/,
  whole: /^must be a whole number$/,
  year: /^becomes (.+): is the year right\?$/,
} as const;

/** The text of an error, with what it names. */
export interface Reason {
  readonly name: keyof typeof reasons;
  readonly one: string;
  readonly two: string;
}

const all = Object.entries(reasons) as [Reason['name'], RegExp][];

/** Finds the text for what the gateway says of a cell. Undefined if there is none, and its own words are shown. */
export function reasonOf(message: string): Reason | undefined {
  for (const [name, pattern] of all) {
    const [found, one = '', two = ''] = pattern.exec(message) ?? [];
    if (found !== undefined) return { name, one, two };
  }
  return undefined;
}
