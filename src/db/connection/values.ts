import pg from 'pg';

const { builtins, getTypeParser } = pg.types;

const readAsPg = (oid: number, text: string) => getTypeParser(oid, 'text')(text);

/** Parses `2026-11-20` as midnight UTC, as Prisma does. */
const readDate = (text: string) => new Date(text);

/** Parses `2026-11-20 09:30:00.12+00`. Database sessions are in UTC (database.ts). */
function readMoment(text: string): unknown {
  // Years with more than four digits, or BC, are written differently.
  if (text[10] !== ' ' || !text.endsWith('+00')) return readAsPg(builtins.TIMESTAMPTZ, text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

function readBytes(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = readAsPg(builtins.BYTEA, text) as Buffer;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

const readers = new Map<number, (text: string) => unknown>([
  [builtins.DATE, readDate],
  [builtins.TIMESTAMPTZ, readMoment],
  [builtins.INT8, BigInt],
  [builtins.BYTEA, readBytes],
]);

/** Parsers of PostgreSQL's text format. Where `pg` parses differently, they follow Prisma. */
export const types: pg.CustomTypesConfig = {
  // The overloads also cover the binary format, which is never requested.
  getTypeParser: ((oid: number) => readers.get(oid) ?? getTypeParser(oid, 'text')) as typeof getTypeParser,
};

/** Converts a value for sending. Timestamps are in UTC, where `pg` would use the local time zone. */
export function parameterOf(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
