/** Periods by which old backups are kept, by their letter. */
const periods = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' } as const;
type Period = keyof typeof periods;

/** Retention of backups: of how many periods the newest backup each is kept. */
export type BackupRetention = Readonly<Partial<Record<Period, number>>>;

/**
 * Parses which backups to keep, such as `7d,4w,12m`.
 * @returns undefined if it is nothing of that form
 */
export function parseBackupRetention(text: string): BackupRetention | undefined {
  const parts = text.split(',').map((part) => /^\s*([1-9]\d{0,3})([hdwmy])\s*$/i.exec(part));
  const entries = parts.map((part) => [part?.[2]?.toLowerCase(), Number(part?.[1])] as const);
  const known = new Map(entries);
  return parts.includes(null) || known.size < entries.length ? undefined : Object.fromEntries(entries);
}

/** Returns the name of a backup in a folder. It has the time in UTC, so that names sort by time. */
export const backupName = (at: Date) => `gateway-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.backup`;

/** Reads the time from the name of a backup. Undefined for files of other names, which are never deleted. */
function timeOf(name: string): Date | undefined {
  const [, ...parts] = /^gateway-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/.exec(name) ?? [];
  const [year, month, day, ...clock] = parts;
  const at = new Date(`${year}-${month}-${day}T${clock.join(':')}Z`);
  // There is no 31st of February, which Date would take for another day.
  return Number.isNaN(at.getTime()) || backupName(at) !== name ? undefined : at;
}

/** Returns what two times of the same period have in common. Weeks begin on Monday (ISO 8601). */
const periodOf: Readonly<Record<Period, (at: Date) => string>> = {
  h: (at) => at.toISOString().slice(0, 13),
  d: (at) => at.toISOString().slice(0, 10),
  w: (at) => String(Math.floor((at.getTime() / 86_400_000 + 3) / 7)),
  m: (at) => at.toISOString().slice(0, 7),
  y: (at) => at.toISOString().slice(0, 4),
};

/**
 * Finds the backups of a folder that need not be kept. Of each of the last periods that have a backup, the newest
 * is kept; periods without one do not count, so nothing is lost while no backups are made.
 * @param names of all files in the folder; other files are left out
 */
export function expendable(names: readonly string[], keep: BackupRetention): string[] {
  const backups = names.flatMap((name) => {
    const at = timeOf(name);
    return at ? [{ name, at }] : [];
  });
  backups.sort((one, other) => other.at.getTime() - one.at.getTime());
  const kept = new Set(backups.slice(0, 1).map(({ name }) => name));
  for (const [period, count] of Object.entries(keep) as [Period, number][]) {
    const newest = new Map<string, string>();
    // The first of a period is its newest, and stays.
    for (const { name, at } of backups) {
      const key = periodOf[period](at);
      if (!newest.has(key)) newest.set(key, name);
    }
    for (const name of [...newest.values()].slice(0, count)) kept.add(name);
  }
  return backups.flatMap(({ name }) => (kept.has(name) ? [] : name));
}
