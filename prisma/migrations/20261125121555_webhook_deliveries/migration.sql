-- Messages about events, their deliveries to webhook endpoints, and the outbox that they are made from.
-- CreateEnum
CREATE TYPE "webhook_payload" AS ENUM ('FULL', 'THIN');

-- CreateEnum
CREATE TYPE "webhook_delivery_state" AS ENUM ('QUEUED', 'SENT', 'FAILED', 'CANCELLED');

-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "category_ids" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "paced_until" TIMESTAMPTZ(3),
ADD COLUMN     "payload" "webhook_payload" NOT NULL DEFAULT 'FULL',
ADD COLUMN     "rate_per_second" INTEGER NOT NULL DEFAULT 10,
ADD COLUMN     "sealed_headers" BYTEA,
ADD COLUMN     "slowed_until" TIMESTAMPTZ(3),
ADD COLUMN     "statuses" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "tag_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- CreateTable
CREATE TABLE "webhook_outbox" (
    "event_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_outbox_pkey" PRIMARY KEY ("event_id")
);

-- CreateTable
CREATE TABLE "webhook_messages" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "state" "webhook_delivery_state" NOT NULL DEFAULT 'QUEUED',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attempts_before" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "is_claimed" BOOLEAN NOT NULL DEFAULT false,
    "status_code" INTEGER,
    "last_error" TEXT,
    "settled_at" TIMESTAMPTZ(3),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status_code" INTEGER,
    "error" TEXT,
    "ms" INTEGER NOT NULL,
    "response_start" TEXT NOT NULL,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateIndex
CREATE INDEX "webhook_outbox_due_at_idx" ON "webhook_outbox"("due_at");

-- CreateIndex
CREATE INDEX "webhook_messages_organization_id_created_id_idx" ON "webhook_messages"("organization_id", "created", "id");

-- CreateIndex
CREATE INDEX "webhook_messages_created_idx" ON "webhook_messages"("created");

-- CreateIndex
CREATE INDEX "webhook_deliveries_organization_id_created_id_idx" ON "webhook_deliveries"("organization_id", "created", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_created_id_idx" ON "webhook_deliveries"("endpoint_id", "created", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_message_id_endpoint_id_idx" ON "webhook_deliveries"("message_id", "endpoint_id");

-- AddForeignKey
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "webhook_messages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The queue, by endpoint: a slow receiver must not be in the way of others.
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("endpoint_id", "due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "webhook_deliveries_claimed_idx" ON "webhook_deliveries"("endpoint_id", "due_at") WHERE "is_claimed";
