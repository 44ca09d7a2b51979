import type { Option } from '../ui/combobox';
import { now } from './client';

const labelOf = (zone: string): string => zone.replaceAll('_', ' ');

/** Creates the option of a time zone: `Europe/Berlin`. */
export const zoneOption = (zone: string): Option => ({ id: zone, label: labelOf(zone) });

/** Formats a time zone and its current offset from UTC: `America/Toronto (UTC-5)`. */
export function zoneText(zone: string): string {
  if (zone === 'UTC') return zone;
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' });
    const offset = format.formatToParts(now()).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return `${labelOf(zone)} (${offset.replace('GMT', 'UTC')})`;
  } catch {
    return labelOf(zone);
  }
}

/** Finds time zones by a part of their names. */
export function findZones(term: string): Promise<readonly Option[]> {
  const wanted = term.toLowerCase();
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')].map(zoneOption);
  return Promise.resolve(zones.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, 20));
}
