/** A failure of PostgreSQL that somebody has to mend, and what they can do. */
interface Remedy {
  /** Matches the SQLSTATE. */
  readonly state?: RegExp;
  /** Matches PostgreSQL's English words, where there is no SQLSTATE. */
  readonly words?: RegExp;
  readonly todo: string;
}

/** Remedy for missing or damaged files of the database. */
const damaged =
  'The files of the database are incomplete or damaged. Rename the folder "postgres" of DATA_DIR, which keeps ' +
  'it, and restore a backup (docs/run/runbooks.md).';

/** Remedy for a file with PostgreSQL's settings. */
export const settingsRemedy =
  'Correct that file, or copy it from a new data folder, which a start with another DATA_DIR makes.';

/** The first that matches counts. */
const remedies: readonly Remedy[] = [
  {
    state: /^53100$/,
    words: /No space left on device|Disk quota exceeded/,
    todo: 'The disk of the database is full. Free some space on it, and start again.',
  },
  {
    state: /^53200$/,
    words: /out of memory|Cannot allocate memory/,
    todo: 'PostgreSQL has too little memory. Give it more, and start again.',
  },
  {
    state: /^53300$/,
    todo:
      'All connections that PostgreSQL allows are taken. Raise max_connections, or end those that ' +
      'pg_stat_activity shows.',
  },
  {
    state: /^25006$/,
    todo:
      'PostgreSQL accepts no writes, because it is a standby or read-only. Name the primary in DATABASE_URL; ' +
      'in the data folder of the embedded one, move standby.signal away.',
  },
  {
    words: /Read-only file system/,
    todo: 'The disk of the database is mounted read-only. Mount it writable, and start again.',
  },
  {
    state: /^58030$/,
    words: /Input\/output error/,
    todo: "The database's disk has failed. Restore a backup on another one (docs/run/runbooks.md).",
  },
  {
    words: /invalid permissions/,
    todo: 'Run `chmod 700` on that folder, and start again.',
  },
  {
    words: /Permission denied|wrong ownership/,
    todo: 'Give the folder with all its files back to the user who runs PostgreSQL (`chown -R`, `chmod -R u+rwX`).',
  },
  {
    words: /initialized by PostgreSQL version/,
    todo:
      'Another version of PostgreSQL made the files. Make a backup with the version of the gateway that ' +
      'used them, and restore it with this one.',
  },
  {
    words: /configuration file|pg_hba|syntax error in file|unrecognized configuration parameter/,
    todo: settingsRemedy,
  },
  {
    state: /^(58P01|XX00[12])$/,
    todo: damaged,
  },
];

/** PostgreSQL's words about files that it misses or cannot understand. */
const damage =
  /not a valid data directory|does not exist|subdirectory .* is missing|checkpoint|control file|could not (find|open|access|read|locate|load)|incompatible|invalid|corrupt|unexpected/;

/** Returns the remedy for a SQLSTATE, as sentences; undefined if there is none. */
export function remedyOfState(state: string | undefined): string | undefined {
  return remedies.find((remedy) => remedy.state?.test(state ?? ''))?.todo;
}

/**
 * Returns the remedy for a failure of the surroundings, which PostgreSQL describes in English. It is undefined
 * if there is none.
 */
export function remedyOfWords(words: string): string | undefined {
  return remedies.find((remedy) => remedy.words?.test(words))?.todo;
}

/** Returns the remedy for damaged files, if PostgreSQL's words are about such. */
export function remedyOfDamage(words: string): string | undefined {
  return damage.test(words) ? damaged : undefined;
}

/** The remedy for a full disk. */
export const fullDisk = remedyOfState('53100') ?? '';
