-- Records are found by when they were made or changed. Rows stand in about that order, so that a summary of each range of
-- pages (BRIN) does: it is a thousandth of the size of a B-tree, and costs writes next to nothing.

-- CreateIndex
CREATE INDEX "companies_created_idx" ON "companies" USING BRIN ("created" timestamptz_minmax_multi_ops);

-- CreateIndex
CREATE INDEX "companies_modified_idx" ON "companies" USING BRIN ("modified" timestamptz_minmax_multi_ops);

-- CreateIndex
CREATE INDEX "contacts_created_idx" ON "contacts" USING BRIN ("created" timestamptz_minmax_multi_ops);

-- CreateIndex
CREATE INDEX "contacts_modified_idx" ON "contacts" USING BRIN ("modified" timestamptz_minmax_multi_ops);

-- CreateIndex
CREATE INDEX "expiration_items_created_idx" ON "expiration_items" USING BRIN ("created" timestamptz_minmax_multi_ops);

-- CreateIndex
CREATE INDEX "locations_created_idx" ON "locations" USING BRIN ("created" timestamptz_minmax_multi_ops);

-- CreateIndex
CREATE INDEX "locations_modified_idx" ON "locations" USING BRIN ("modified" timestamptz_minmax_multi_ops);

-- CreateIndex
CREATE INDEX "notes_created_idx" ON "notes" USING BRIN ("created" timestamptz_minmax_multi_ops);

-- CreateIndex
CREATE INDEX "vehicles_created_idx" ON "vehicles" USING BRIN ("created" timestamptz_minmax_multi_ops);
