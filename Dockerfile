# Build: everything, to generate the Prisma client and compile.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The last step completes the embedded PostgreSQL's folder, which the gateway could not write to when it runs.
RUN npm run build && npm prune --omit=dev \
  && node --input-type=module -e "await (await import('./dist/database/programs.js')).findPrograms()"

# Run: what production needs, as an unprivileged user. Without DATABASE_URL the gateway runs the PostgreSQL of its
# own packages in /data.
FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/public ./public
COPY --from=build /app/schema ./schema
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000
# exec form: the gateway itself gets SIGTERM, and finishes what is in flight. As `npm start` runs it (src/cli/memory.ts).
CMD ["node", "dist/main.js", "serve"]
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4000/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
