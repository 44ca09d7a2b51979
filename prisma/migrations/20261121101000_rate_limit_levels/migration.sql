-- Counts were the moments at which all is back, by the clocks of gateways. Now they are how long that takes, as of a
-- moment by the database's clock, so that no clock that jumps locks anybody out. They are worth nothing after a minute.
DROP TABLE "rate_limits";

-- Counts that all processes share, by who is counted: `token:<id>` or `failures:<address>`. The milliseconds until all
-- that was used is back, as of a moment. Unlogged: no write waits for a disk, and a crash empties it.
CREATE UNLOGGED TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "level" DOUBLE PRECISION NOT NULL,
    "as_of" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);
