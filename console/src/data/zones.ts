import type { Option } from '../ui/combobox';

/** Makes an option of a time zone: `Europe/Berlin`. */
export const zoneOption = (zone: string): Option => ({ id: zone, label: zone.replaceAll('_', ' ') });

/** Finds time zones by a part of their names. */
export function findZones(term: string): Promise<readonly Option[]> {
  const wanted = term.toLowerCase();
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')].map(zoneOption);
  return Promise.resolve(zones.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, 20));
}
