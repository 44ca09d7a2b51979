import pg from 'pg';

const { builtins, getTypeParser } = pg.types;

const readAsPg = (oid: number, text: string) => getTypeParser(oid, 'text')(text);

/** Reads `2026-11-20` as the midnight of UTC, which Prisma takes for a day as well. */
const readDate = (text: string) => new Date(text);

/** Reads `2026-11-20 09:30:00.12+00`. The database's sessions are in UTC (database.ts). */
function readMoment(text: string): unknown {
  // Years of more than four digits, or before the first, are written otherwise.
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

/** Readers of the database's texts. They read as Prisma does, where `pg` does otherwise. */
export const types: pg.CustomTypesConfig = {
  // Its overloads tell types of the binary format as well, which is never asked for.
  getTypeParser: ((oid: number) => readers.get(oid) ?? getTypeParser(oid, 'text')) as typeof getTypeParser,
};

/** Converts a value for sending: moments in UTC, where `pg` writes this machine's zone. */
export function parameterOf(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
