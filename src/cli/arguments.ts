import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { type BackupRetention, parseBackupRetention } from '../db/backup/series.js';
import { isSubject } from '../domain/identity.js';
import { type Role, roles } from '../domain/roles.js';

const units = { d: 86_400_000, h: 3_600_000 } as const;
const zones = { offset: true, local: true } as const;
/** A date or a date-time of ISO 8601. Without seconds it is not one of RFC 3339, so it has a rule of its own. */
const dateTime = z.union([z.iso.date(), z.iso.datetime(zones), z.iso.datetime({ ...zones, precision: -1 })]);

/**
 * Parses a role, in any case.
 * @throws {InvalidArgumentError} listing the roles
 */
export function parseRole(text: string): Role {
  const role = roles.find((known) => known === text.toUpperCase());
  if (!role) throw new InvalidArgumentError(`Use one of ${roles.join(', ').toLowerCase()}.`);
  return role;
}

/**
 * Parses a subject of an issuer.
 * @throws {InvalidArgumentError} if it is invalid
 */
export function parseSubject(text: string): string {
  if (!isSubject(text)) throw new InvalidArgumentError('A subject has 1 to 255 visible characters.');
  return text;
}

/**
 * Parses a future time: ISO 8601, or relative like `30d` or `12h`. A date or date-time is in UTC unless it
 * has an offset.
 * @throws {InvalidArgumentError} if it is neither, or past
 */
export function parseExpiry(text: string, now: Date): Date {
  const expiry = readMoment(text, now);
  if (!expiry)
    throw new InvalidArgumentError('Use an ISO date or date-time, or a time from now, such as 30d or 12h.');
  if (expiry <= now) throw new InvalidArgumentError('It must be in the future.');
  return expiry;
}

/**
 * Parses a past time. It is an ISO date or date-time, in UTC unless it has an offset.
 * @throws {InvalidArgumentError} if it is invalid, or in the future
 */
export function parsePast(text: string, now: Date): Date {
  const moment = dateTime.safeParse(text).success ? readMoment(text, now) : undefined;
  if (!moment) throw new InvalidArgumentError('Use an ISO date or date-time, such as 2027-03-01T08:00Z.');
  if (moment > now) throw new InvalidArgumentError('It must not be in the future.');
  return moment;
}

/**
 * Parses which backups to keep.
 * @throws {InvalidArgumentError} if it is invalid
 */
export function parseRetention(text: string): BackupRetention {
  const keep = parseBackupRetention(text);
  if (!keep)
    throw new InvalidArgumentError(
      'Use numbers of hours, days, weeks, months or years, each once, such as 7d,4w,12m.',
    );
  return keep;
}

/**
 * Parses a number of days.
 * @throws {InvalidArgumentError} unless it is from 1 to `most`
 */
export function parseDays(text: string, most: number): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > most) throw new InvalidArgumentError(`Use a number from 1 to ${most}.`);
  return days;
}

/**
 * Parses a number of months.
 * @throws {InvalidArgumentError} unless it is from 2 to 24
 */
export function parseMonths(text: string): number {
  const months = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (months < 2 || months > 24) throw new InvalidArgumentError('Use a number from 2 to 24.');
  return months;
}

function readMoment(text: string, now: Date): Date | undefined {
  const [, count, unit] = /^(\d{1,5})([dh])$/i.exec(text) ?? [];
  if (unit) return new Date(now.getTime() + Number(count) * units[unit.toLowerCase() as keyof typeof units]);
  if (!dateTime.safeParse(text).success) return undefined;
  const isLocal = /T[\d:.]+$/.test(text);
  return new Date(isLocal ? `${text}Z` : text);
}
