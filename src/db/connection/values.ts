import pg from 'pg';

const { builtins, getTypeParser } = pg.types;

const readAsPg = (oid: number, text: string) => getTypeParser(oid, 'text')(text);

/** `2026-11-20`, as the midnight of UTC, which Prisma takes for a day as well. */
const readDate = (text: string) => new Date(text);

/** `2026-11-20 09:30:00.12+00`: the database's sessions are in UTC (client.ts). */
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

/** How values are read from the database's texts: as Prisma reads them, where `pg` does otherwise. */
export const types: pg.CustomTypesConfig = {
  // Its overloads tell types of the binary format as well, which is never asked for.
  getTypeParser: ((oid: number) => readers.get(oid) ?? getTypeParser(oid, 'text')) as typeof getTypeParser,
};

/** A value as it is sent: moments in UTC, where `pg` writes the time of this machine's zone. */
export function parameterOf(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
