-- Counts that all processes share, by who is counted: `token:<id>` or `failures:<address>`. The moment at which all that
-- was used is back. Unlogged, as they are worth nothing after a minute: no write waits for a disk, and a crash empties it.
CREATE UNLOGGED TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "until" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);
