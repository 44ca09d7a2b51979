-- CreateTable
CREATE TABLE "idempotency_keys" (
    "caller_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("caller_id","key")
);

-- CreateIndex
CREATE INDEX "idempotency_keys_organization_id_idx" ON "idempotency_keys"("organization_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_idx" ON "idempotency_keys"("created");

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
