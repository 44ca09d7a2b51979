-- One row at most: the timeline on which the primary writes, which is another one after each failover. A replica that
-- shows it has followed; positions in the write-ahead log are only comparable then.
CREATE TABLE "primary_timeline" (
    "timeline" BIGINT NOT NULL,
    "single" BOOLEAN NOT NULL DEFAULT TRUE CHECK ("single"),

    CONSTRAINT "primary_timeline_pkey" PRIMARY KEY ("single")
);
